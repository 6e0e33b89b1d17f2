"""Exact play: deals, information sets, best responses and CFR+, on the smallest Karma."""

import json
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

import tantra_envs
from agents import load
from benchmarks.exact import command, report, solve, tree, walk
from benchmarks.exact.deals import all_deals, dealt
from benchmarks.exact.policies import Looks, policy_of
from tantra_envs.core.compiled.jit import entry_point

from .best_response import BestResponse, deals_of

GAME = tantra_envs.game("karma:tiny")


def quiet(line):
    pass


@pytest.fixture(scope="module")
def tiny():
    built = tree.build(GAME, say=quiet)
    return built, Looks(built)


def figures(built, looks, agent):
    policy = policy_of(built, looks, agent, draws=5)
    return policy, solve.exploitability(built.part, policy.strategy(built, looks))


def test_deals_stand_for_all_orders_of_the_deck():
    tables, weights = all_deals(GAME)
    orders = Counter(dealt(GAME, order).tobytes() for order in permutations(GAME.words.deck(GAME)))
    found = {table.tobytes(): weight for table, weight in zip(tables, weights, strict=True)}
    assert found.keys() == orders.keys() and len(tables) == len(found)
    assert all(weight == pytest.approx(orders[table] / 720) for table, weight in found.items())


def test_best_responses_are_those_of_a_search_over_beliefs():
    """Another implementation, which never makes information sets, finds the same values."""
    rules = tantra_envs.game("karma", max_moves=20)
    positions = [rules.from_position(position) for position in deals_of(["2", "8", "8", "FIVE"], 1)]
    deals = np.frombuffer(b"".join(position.tobytes() for position in positions), rules.blank.dtype)
    built = tree.build(rules, say=quiet, given=(deals, np.full(len(deals), 1 / len(deals))))
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


def test_the_average_of_two_strategies_earns_the_mean_of_their_rewards(tiny):
    built, looks = tiny
    part, names = built.part, ("scripted", "uniform")
    strategies = [policy_of(built, looks, load(name, GAME), 1).strategy(built, looks) for name in names]
    weights = [solve.weights_of(part, strategy) for strategy in strategies]
    average = solve.weights_of(part, solve.strategy_of(part, sum(weights)))
    own = np.concatenate([[True, False], np.repeat(part.seats == 0, part.sizes)])
    rewards = [solve.expected(part, np.where(own, mine, weights[0]), 0) for mine in (*weights, average)]
    assert rewards[0] != pytest.approx(rewards[1], abs=0.01)
    assert rewards[2] == pytest.approx((rewards[0] + rewards[1]) / 2, abs=1e-12)


def test_a_better_answer_gains_what_is_said(tiny):
    """Only one decision of the agent changes, against the same opponent."""
    built, looks = tiny
    policy, _ = figures(built, looks, load("scripted", GAME))
    row = report.row_of(built, looks, policy, 3)
    strategy, part = policy.strategy(built, looks), built.part
    assert len(row.worst) == 3 and row.worst[0].gain >= row.worst[1].gain >= row.worst[2].gain > 0
    for worst in row.worst:
        other = 1 - worst.seat
        _, response = solve.best_response(part, solve.weights_of(part, strategy), other)
        look = next(look for look, table in shown(built, looks) if table == (worst.seat, worst.table))
        better, begin = policy.answers.copy(), looks.begin[look]
        end = np.append(looks.begin, len(looks.actions))[look + 1]
        legal = [GAME.action_name(GAME.new(0), int(action)) for action in looks.actions[begin:end]]
        better[begin:end] = [float(name.split()[-1] == worst.better.split()[-1]) for name in legal]
        changed = np.concatenate([np.ones(2), better[looks.slots]])
        own = np.concatenate([np.zeros(2), np.repeat(part.seats, part.sizes)]) == worst.seat
        values = [
            solve.expected(
                part, np.where(own, solve.weights_of(part, mine), solve.weights_of(part, response)), worst.seat
            )
            for mine in (strategy, changed)
        ]
        assert values[1] - values[0] == pytest.approx(worst.gain, abs=1e-9)


def shown(built, looks):
    for places, tables in tree.tables_at(built, built.part.members[looks.first, :2]):
        for k, place in enumerate(places.tolist()):
            seat = int(tables["seat"][k])
            yield place, (seat, GAME.picture(tables[k : k + 1], seat))


CONCEAL = GAME.drivers.conceal_rows


@entry_point
def open_hands(states, rows, seats, firsts, known):
    """Show seat 1 the other hand besides what it may see."""
    CONCEAL(states, rows, seats, firsts, known)
    for k in range(len(rows)):
        if seats[k] == 1:
            for card in range(states[rows[k]].hands.shape[1]):
                known[k].hands[1, card] = states[rows[k]].hands[0, card]


class Peeks:
    """Plays like the scripted agent, but puts face up what the hidden hand of the other decides."""

    name = "peeks"

    def act(self, obs, rng):
        states, rows = obs._Observation__states, obs._Observation__rows
        other = states["hands"][rows, 1 - obs.seat].argmax(axis=1)
        first, last = (
            obs.action_mask.argmax(axis=1),
            obs.action_mask.shape[1] - 1 - obs.action_mask[:, ::-1].argmax(axis=1),
        )
        return np.where(other % 2 == 0, first, last)


def test_an_agent_that_sees_hidden_cards_is_refused(tiny):
    built, looks = tiny
    with pytest.raises(ValueError, match=r"agent 'peeks' sees hidden cards: seat \d"):
        policy_of(built, looks, Peeks(), draws=5)


def test_a_seat_that_sees_a_hidden_hand_is_less_exploitable_than_possible(tiny):
    """Its best strategy in the open game loses less than any strategy of the real one."""
    built, _ = tiny
    solver = solve.CFRPlus(built.part)
    for _ in range(60):
        solver.iterate()
    least = -solve.exploitability(built.part, solver.average())[0][1]  # what seat 0 can be sure of
    leaky = tree.build(GAME, say=quiet, see=open_hands)
    cheat = solve.CFRPlus(leaky.part)
    for _ in range(60):
        cheat.iterate()
    against_cheat, _ = solve.best_response(leaky.part, solve.weights_of(leaky.part, cheat.average()), 0)
    assert leaky.sets_of(1) > built.sets_of(1)
    assert against_cheat < least - 0.01


class Forgetful:
    name = "counts"

    def __init__(self):
        self.asked = 0

    def act(self, obs, rng):
        self.asked += 1
        return (
            obs.action_mask.argmax(axis=1)
            if self.asked % 3
            else obs.action_mask.shape[1] - 1 - obs.action_mask[:, ::-1].argmax(axis=1)
        )


class Remembers(Forgetful):
    name, remembers = "remembers", True


class Wrong:
    name = "wrong"

    def probabilities(self, obs):
        return np.ones(obs.action_mask.shape)


@pytest.mark.parametrize(
    ("agent", "words"), [(Forgetful(), "asked again"), (Remembers(), "has a memory"), (Wrong(), "probabilities")]
)
def test_agents_whose_probabilities_are_unknown_are_refused(tiny, agent, words):
    with pytest.raises(ValueError, match=f"agent '{agent.name}'.*{words}"):
        policy_of(*tiny, agent, draws=2)


def test_agents_that_draw_are_asked_often_and_network_agents_give_probabilities(tiny):
    greedy, _ = figures(*tiny, load("greedy", GAME))
    uniform, (_, gap) = figures(*tiny, load("uniform", GAME))
    assert (greedy.form, uniform.form) == ("drawn", "probabilities")
    assert np.isin((greedy.answers * 5).round(9), range(6)).all()
    assert gap == pytest.approx(0.5155092592592592, abs=1e-12)


def test_what_cannot_be_listed_is_refused():
    with pytest.raises(ValueError, match="dealer=-1"):
        all_deals(tantra_envs.game("karma:tiny", dealer=-1))
    with pytest.raises(ValueError, match="too many"):
        all_deals(tantra_envs.game("karma", dealer=0))
    with pytest.raises(ValueError, match=r"more than .* histories"):
        tree.build(GAME, memory=0.0001, say=quiet)


def test_kept_work_is_read_again(tmp_path, monkeypatch, tiny):
    first = tree.build(GAME, tmp_path, say=quiet)
    monkeypatch.setattr(walk, "bind", lambda game, see: pytest.fail)
    again = tree.build(GAME, tmp_path, say=quiet)
    for name in tree.Part._fields:
        assert (getattr(first.part, name) == getattr(again.part, name)).all()
        assert (getattr(first.part, name) == getattr(tiny[0].part, name)).all()


def test_an_interrupted_walk_goes_on(tmp_path, monkeypatch, tiny):
    make, calls = tree._part, []

    def stop(*arguments):
        calls.append(arguments[-2:])
        if len(calls) == 6:
            raise KeyboardInterrupt
        return make(*arguments)

    monkeypatch.setattr(tree, "_part", stop)
    with pytest.raises(KeyboardInterrupt):
        tree.build(GAME, tmp_path, threads=1, say=quiet)
    built = tree.build(GAME, tmp_path, threads=1, say=quiet)
    assert len(set(calls)) == len(calls) - 1  # only the interrupted part is made twice
    assert (built.part.rewards == tiny[0].part.rewards).all()
    assert not list(tmp_path.glob("part-*"))


def test_the_command_prints_and_keeps_the_figures(tmp_path, capsys):
    results = tmp_path / "results.json"
    words = ["karma:tiny", "--agents", "scripted", "--worst", "1", "--gap", "0.01", "--runs", str(tmp_path)]
    assert command.main([*words, "--results", str(results)]) == 0
    printed, kept = capsys.readouterr().out, figures_in(results)
    assert [row["name"] for row in kept["strategies"]] == ["cfr+", "scripted"]
    assert kept["value"] == pytest.approx(0.2389, abs=kept["within"] + 1e-4)
    scripted = kept["strategies"][1]
    assert scripted["exploitability"] == pytest.approx(0.23888888888888893)
    assert len(scripted["worst"]) == 1 and scripted["worst"][0]["table"].splitlines()[0] in printed
    words[words.index("0.01")] = "0.005"
    assert command.main([*words, "--results", str(results)]) == 0
    assert figures_in(results)["iterations"] > kept["iterations"]


def test_figures_of_other_agents_stay_while_the_game_is_the_same(tmp_path):
    results, words = tmp_path / "results.json", ["karma:tiny", "--worst", "0", "--runs", str(tmp_path)]
    solved = [*words, "--gap", "0.1", "--results", str(results)]
    assert command.main([*solved, "--agents", "scripted"]) == 0
    before = figures_in(results)
    unsolved = [*words, "--iterations", "0", "--results", str(results)]
    assert command.main([*unsolved, "--agents", "uniform"]) == command.main([*unsolved, "--agents", "scripted"]) == 0
    figures = figures_in(results)
    assert [row["name"] for row in figures["strategies"]] == ["cfr+", "uniform", "scripted"]
    assert (figures["value"], figures["within"]) == (before["value"], before["within"])
    assert [("uniform" in row["command"]) for row in figures["strategies"]] == [False, True, False]
    content = json.loads(results.read_text())
    content["games"]["karma:tiny"]["histories"] += 1
    results.write_text(json.dumps(content))
    assert command.main([*unsolved, "--agents", "uniform"]) == 0
    assert [row["name"] for row in figures_in(results)["strategies"]] == ["uniform"]
    assert "value" not in figures_in(results)


def figures_in(file):
    return json.loads(file.read_text(encoding="utf-8"))["games"]["karma:tiny"]


@pytest.mark.parametrize(
    "words", [["--threads", "0"], ["--worst", "-1"], ["--agents", "nobody"], ["--memory", "0"], ["--draws", "0"]]
)
def test_wrong_options_are_refused(words, tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(["karma:tiny", *words, "--runs", str(tmp_path)])
    assert ended.value.code == 2 and capsys.readouterr().err.startswith("error: ")
