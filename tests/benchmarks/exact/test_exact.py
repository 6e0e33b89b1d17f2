"""Exact play: deals, information sets, best responses and CFR+, on the smallest Karma."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import combinations, permutations
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import tantra_envs
from agents import load
from benchmarks.exact import command, results, solve, tree, walk
from benchmarks.exact.deals import all_deals, dealt
from benchmarks.exact.policies import Looks, policy_of
from docs.course.best_response import BestResponse
from tantra_envs.games import SHIPPED
from tantra_envs.programs import results as files

GAME = tantra_envs.game("karma:tiny")


@pytest.fixture(scope="module")
def tiny():
    built = tree.build(GAME)
    return built, Looks(built)


def figures(built, looks, agent):
    policy = policy_of(built, looks, agent, draws=5)
    return policy, solve.exploitability(built.part, policy.strategy)


def test_deals_stand_for_all_orders_of_the_deck():
    tables, weights = all_deals(GAME)
    orders = Counter(dealt(GAME, order).tobytes() for order in permutations(GAME.words.deck(GAME)))
    found = {table.tobytes(): weight for table, weight in zip(tables, weights, strict=True)}
    assert found.keys() == orders.keys() and len(tables) == len(found)
    assert all(weight == pytest.approx(orders[table] / 720) for table, weight in found.items())


def deals_of(cards, size):
    """Yield the positions of all deals of Karma cards for two; equal ones repeat, by their probability.

    Each seat has `size` cards in hand, and one of the others face down.
    """
    every = set(range(len(cards)))
    for own in combinations(every, size):
        for other in combinations(every - set(own), size):
            hands = [[cards[card] for card in hand] for hand in (own, other)]
            for order in permutations(cards[card] for card in every - set(own) - set(other)):
                yield {"hands": hands, "down": [[card] for card in order]}


def test_best_responses_are_those_of_a_search_over_beliefs():
    """Another implementation, which never makes information sets, finds the same values."""
    rules = tantra_envs.game("karma", max_moves=20)
    positions = [rules.from_position(position) for position in deals_of(["2", "8", "8", "FIVE"], 1)]
    deals = np.frombuffer(b"".join(position.tobytes() for position in positions), rules.blank.dtype)
    built = tree.build(rules, given=(deals, np.full(len(deals), 1 / len(deals))))
    looks = Looks(built)
    for name in ("scripted", "uniform"):
        agent = load(name, rules)
        _, (responses, _) = figures(built, looks, agent)
        scores = [BestResponse(rules, agent, seat).score(deals) for seat in (0, 1)]
        assert responses == pytest.approx(2 * np.array(scores) - 1, abs=1e-9)


def test_cfr_plus_comes_near_to_a_value_between_the_best_responses(tiny):
    built, looks = tiny
    solver = solve.CFRPlus(built.part)
    for _ in range(40):
        solver.iterate()
    responses, gap = solve.exploitability(built.part, solver.average())
    assert built.zero_sum and 0 <= gap < 1e-3
    for name in ("scripted", "uniform"):
        _, (others, worse) = figures(built, looks, load(name, GAME))
        assert worse > 10 * gap
        assert others[0] > -responses[1] - 1e-9 and others[1] > -responses[0] - 1e-9
    continued = solve.CFRPlus(built.part)
    continued.restore(solver.arrays())
    solver.iterate(), continued.iterate()
    assert (continued.average() == solver.average()).all()


class Player:
    """An agent that plays its first legal action, or its last one at the tables that a function chooses."""

    def __init__(self, name, is_last, probabilities=None):
        self.name, self.is_last = name, is_last
        if probabilities:
            self.probabilities = probabilities

    def act(self, obs, rng):
        mask = obs.action_mask
        last = mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)
        return np.where(self.is_last(obs, rng), last, mask.argmax(axis=1))


def other_hand(obs):
    states, rows = obs._Observation__states, obs._Observation__rows
    return states["hands"][rows, 1 - obs.seat].argmax(axis=1) % 2


def sampled_hand(obs, rng):
    states = obs.determinize(1, rng)
    return states["hands"][np.arange(len(states)), 1 - obs.seat].argmax(axis=1) % 2


def tossed(obs, rng, chance=0.5):
    return rng.random(len(obs)) < chance


def equally(obs):
    return obs.action_mask / obs.action_mask.sum(axis=1, keepdims=True)


OWN, CALLS = np.random.default_rng(1), iter(range(10**9))


@pytest.mark.parametrize(
    ("agent", "draws", "words"),
    [
        (Player("mine", lambda obs, rng: tossed(obs, OWN)), 30, "asked again .* generator of its own"),
        (Player("mine", lambda obs, rng: next(CALLS) % 3 == 2), 30, "asked again"),
        (Player("mine", lambda obs, rng: tossed(obs, np.random.default_rng(0))), 30, "tables come in another order"),
        (Player("mine", lambda obs, rng: np.arange(len(obs)) % 2), 30, "tables come in another order"),
        (Player("mine", lambda obs, rng: other_hand(obs)), 30, "sees hidden cards"),
        (Player("mine", lambda obs, rng: tossed(obs, rng, 0.45 + 0.1 * other_hand(obs))), 30, "sees hidden cards"),
        (Player("mine", lambda obs, rng: tossed(obs, rng, 0.4 + 0.2 * other_hand(obs))), 15, "--draws 16 or more"),
        (Player("mine", lambda obs, rng: np.zeros(len(obs)), equally), 5, "plays other actions than its probabilities"),
        (Player("mine", lambda obs, rng: other_hand(obs), equally), 5, "plays other actions than its probabilities"),
        (SimpleNamespace(name="mine", remembers=True), 2, "has a memory"),
        (
            SimpleNamespace(name="mine", probabilities=lambda obs: 1.0 * (obs.action_mask >= 0)),
            2,
            "gives probabilities",
        ),
    ],
)
def test_agents_that_cannot_be_measured_are_refused(tiny, agent, draws, words):
    with pytest.raises(ValueError, match=f"agent 'mine'.*{words}"):
        policy_of(*tiny, agent, draws=draws)


def test_there_is_room_for_all_legal_actions_of_a_decision():
    room = np.iinfo(walk.new_part(1, 1, 1, 1).sizes.dtype).max
    assert all(tantra_envs.game(name).most_legal <= room for name in SHIPPED)


@pytest.mark.parametrize(
    "is_last",
    [tossed, lambda obs, rng: rng.random() < 0.5, sampled_hand],
    ids=["every table", "all tables", "sampled deals"],
)
def test_agents_that_draw_with_the_given_random_numbers_are_measured(tiny, is_last):
    assert policy_of(*tiny, Player("mine", is_last), draws=30).form == "drawn"


def test_a_search_is_measured_by_its_own_actions_and_not_by_those_of_its_playouts():
    assert not hasattr(load("search:1,base=learned", tantra_envs.game("karma")), "probabilities")


def test_agents_that_draw_are_asked_often_and_network_agents_give_probabilities(tiny):
    greedy, _ = figures(*tiny, load("greedy", GAME))
    uniform, (_, gap) = figures(*tiny, load("uniform", GAME))
    assert (greedy.form, uniform.form) == ("drawn", "probabilities")
    assert np.isin((greedy.strategy * 5).round(9), range(6)).all()
    assert gap == pytest.approx(0.5155092592592592, abs=1e-12)


def test_a_walk_calls_machine_code_where_a_driver_still_runs_as_plain_python(monkeypatch):
    """In a new cache a driver is a Python object at first, which no kernel can call."""
    bound = []
    monkeypatch.setattr(walk.jit, "bind", lambda module, kernels, *_: bound.append(kernels) or {"walk_deals": None})

    def starting():
        """A driver, whose machine code is an attribute."""

    starting.entry = "machine code"
    walk.bind.__wrapped__(SimpleNamespace(legal_row=starting, apply_row=starting, conceal_rows=starting, home=walk))
    assert bound == [dict.fromkeys(("legal_row", "apply_row", "conceal_rows"), "machine code")]


def test_what_cannot_be_listed_is_refused():
    with pytest.raises(ValueError, match="dealer=-1"):
        all_deals(tantra_envs.game("karma:tiny", dealer=-1))


def test_too_little_memory_is_told_with_its_amount(tmp_path, capsys):
    assert command.main(["karma:tiny", "--memory", "0.001", "--runs", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert "histories need more than 0.001 GiB; allowed: --memory with more" in error
    assert "again to continue" not in error


def test_kept_work_is_read_again(tmp_path, monkeypatch, tiny):
    first = tree.build(GAME, tmp_path)
    monkeypatch.setattr(walk, "bind", lambda game: pytest.fail)
    again = tree.build(GAME, tmp_path)
    for name in walk.Part._fields:
        assert (getattr(first.part, name) == getattr(again.part, name)).all()
        assert (getattr(first.part, name) == getattr(tiny[0].part, name)).all()


def torn(content):
    return content[: len(content) // 2]


def flipped(content):
    return content[:200] + bytes([content[200] ^ 4]) + content[201:]


@pytest.mark.parametrize(("name", "damage"), [("tree", torn), ("cfr", flipped), ("tree", "foreign")])
def test_a_damaged_part_is_made_again(tmp_path, capsys, name, damage):
    words = ["karma:tiny", "--agents", "scripted", "--gap", "0.1", "--runs", str(tmp_path)]
    assert command.main(words) == 0
    shown = capsys.readouterr().out.partition("| agent |")[2]
    (file,) = tmp_path.rglob(f"{name}.npz")
    if damage == "foreign":
        np.savez(file.open("wb"), keys=np.zeros(3))
    else:
        file.write_bytes(damage(file.read_bytes()))
    assert command.main(words) == 0
    printed = capsys.readouterr().out
    assert f"{file} is damaged" in printed and printed.partition("| agent |")[2] == shown


def test_an_end_counts_if_any_seat_is_paid():
    """Equal ends are added. Three seats, of which one or two get nothing."""
    ends = np.array([[3, 4, 5], [3, 4, 6], [3, 4, 5], [9, 4, 5], [8, 8, 8]])
    rewards = np.array([[1.0, 0, 0], [0, 0, 2], [1, 0, -1], [0, 0, 0], [1, 1, 1]])
    found, sums = tree.summed(ends, rewards, 10)
    expected = {(3, 4, 5): [2, 0, -1], (3, 4, 6): [0, 0, 2], (8, 8, 8): [1, 1, 1]}
    assert dict(zip(map(tuple, found.tolist()), sums.tolist(), strict=True)) == expected


def test_the_command_prints_and_keeps_the_figures(tmp_path, capsys):
    file = tmp_path / "results.csv"
    words = ["karma:tiny", "--agents", "scripted", "--gap", "0.01", "--runs", str(tmp_path)]
    assert command.main([*words, "--results", str(file)]) == 0
    printed, kept = capsys.readouterr().out, files.read(file)
    assert agents_in(kept) == ["cfr+", "scripted"]
    (value,) = kept.filter(measure=results.VALUE).iter_rows(named=True)
    assert value["low"] <= value["value"] <= value["high"] and value["value"] == pytest.approx(0.2389, abs=0.01)
    (scripted,) = kept.filter(agent="scripted", measure=results.EXPLOITABILITY)["value"]
    assert scripted == pytest.approx(0.23888888888888893)
    assert "| scripted | fixed | " in printed
    words[words.index("0.01")] = "0.005"
    assert command.main([*words, "--results", str(file)]) == 0
    before, after = (own.filter(measure=results.ITERATIONS)["value"][0] for own in (kept, files.read(file)))
    assert after > before


def test_figures_of_other_agents_stay_while_the_game_is_the_same(tmp_path):
    file, words = tmp_path / "results.csv", ["karma:tiny", "--runs", str(tmp_path)]
    solved = [*words, "--gap", "0.1", "--results", str(file)]
    assert command.main([*solved, "--agents", "scripted"]) == 0
    before = files.read(file)
    unsolved = [*words, "--iterations", "0", "--results", str(file)]
    assert command.main([*unsolved, "--agents", "uniform"]) == command.main([*unsolved, "--agents", "scripted"]) == 0
    figures = files.read(file)
    assert agents_in(figures) == ["cfr+", "uniform", "scripted"]
    assert figures.filter(measure=results.VALUE).equals(before.filter(measure=results.VALUE))
    assert ["uniform" in own for own in figures.filter(measure=results.COMMAND)["part"]] == [False, True, False]
    changed = pl.when(measure="positions").then(pl.col("value") + 1).otherwise("value")
    files.write(file, figures.with_columns(value=changed), "")
    assert command.main([*unsolved, "--agents", "uniform"]) == 0
    assert agents_in(files.read(file)) == ["uniform"]
    assert files.read(file).filter(measure=results.VALUE).is_empty()


def lines_of(agent, built):
    row = results.Row(agent, "fixed", [0.0, 0.0], [1.0, 0.0], 0.5)
    return files.table(results.lines(f"exact {agent}", "karma:tiny", built, 0, [row]), results.VIEW)


def test_a_row_carries_the_version_that_measured_it(tmp_path, monkeypatch, tiny):
    file = tmp_path / "results.csv"
    for version, name in (("0.3.0", "a"), ("0.4.0", "b")):
        monkeypatch.setattr(tantra_envs, "__version__", version)
        results.write(file, lines_of(name, tiny[0]))
    rows = files.read(file).filter(measure=results.COMMAND).select("agent", "version", "part").rows()
    assert rows == [("a", "0.3.0", "exact a"), ("b", "0.4.0", "exact b")]


def test_two_writers_of_a_file_keep_the_rows_of_each_other(tmp_path, tiny):
    file = tmp_path / "results.csv"
    every = [lines_of(f"{name}{i}", tiny[0]) for i in range(10) for name in "ab"]
    with ThreadPoolExecutor(2) as writers:
        list(writers.map(partial(results.write, file), every))
    assert sorted(agents_in(files.read(file))) == [f"{name}{i}" for name in "ab" for i in range(10)]
    assert [entry.name for entry in tmp_path.iterdir()] == ["results.csv"]


FOREIGN = "# x\n" + ",".join(files.SCHEMA) + "\nladder,karma_v0" + "," * 13 + "\n"


@pytest.mark.parametrize("content", ["", "# x\nview,game\nexact,karma\n", FOREIGN])
def test_a_damaged_file_of_results_is_refused_before_all_work(tmp_path, refusal, content):
    file = tmp_path / "results.csv"
    file.write_text(content, encoding="utf-8")
    words = ["karma:tiny", "--results", str(file), "--runs", str(tmp_path / "runs")]
    assert refusal(command.main, words).startswith(f"error: {file}")
    assert file.read_text(encoding="utf-8") == content and not (tmp_path / "runs").exists()


def agents_in(found):
    return found.filter(measure=results.EXPLOITABILITY)["agent"].to_list()
