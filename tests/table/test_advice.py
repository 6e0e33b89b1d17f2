"""Hints: the best number is advised, chance is admitted, and what is hidden has no say."""

from types import SimpleNamespace

import numpy as np
import pytest

import tantra_envs
from agents import load
from tantra_envs.commands.play import hinter
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Observation
from tantra_envs.opponents.search import Tries
from tantra_envs.table import advice
from tantra_envs.table.advice import Comparison, Scale, advise, advised, compare, in_words, of_puzzle, scale_of
from tantra_envs.table.table import Table
from tantra_envs.words.sentences import module

from .serving import play, seated

WINS = Scale("you win", "of 100 games from here", hundreds=True)


def words(action):
    return f"play the {action}"


def won(*wins):
    """Values of actions that win so many of 100 games."""
    return np.array([np.random.default_rng(i).permutation(np.arange(100) < n) for i, n in enumerate(wins)], float)


NEAR = [[-1e-6] * 100, [-9e-6] * 99 + [-8e-6]]


@pytest.mark.parametrize(("values", "scripted", "prior", "chosen", "words_about_it"), [
    (won(60, 58, 57, 5), 3, None, 0, "All three may be equally good: the difference is within chance."),
    (won(60, 58, 5), 0, None, 0, "The first two may be equally good: the difference is within chance."),
    (won(60, 5, 58), 0, None, 0, "The first and the third may be equally good: the difference is within chance."),
    (won(60, 5, 4), 1, None, 0, "The first is better by more than chance explains."),
    (won(60, 58, 57), 1, None, 1, "Play the 5: you win about 58 of 100 games from here. No other action was clearly "
     "better in 100 sampled deals, so this hint follows rules of thumb."),
    (won(60, 58, 57, 5), 1, None, 1, "so this hint follows rules of thumb."),
    (NEAR, -1, None, 0, "The numbers are equal, but the first ends sooner, with more points, or loses by fewer."),
    (won(40, 90, 10), 0, [0.9, 0.001, 0.05], 0, "90 % to below 1 %"),
    (won(40, 38, 90), 0, [0.9, 0.05, 0.05], 0, "The third has a higher number"),
    (won(60, 58), 1, [0.4, 0.6], 0, "may be equally good"),
    (won(58, 60), 0, [0.6, 0.4], 0, "so this hint follows rules of thumb."),
])  # fmt: skip
def test_a_hint_says_how_sure_it_is(values, scripted, prior, chosen, words_about_it):
    given = {} if scripted < 0 else {"scripted": scripted}
    comparison = Comparison([7, 5, 3, 2][: len(values)], np.array(values), **given, prior=prior and np.array(prior))
    hint = in_words(comparison, words, WINS)
    assert words_about_it in hint and advised(comparison) == chosen and hint.startswith(f"Play the {(7, 5)[chosen]}")


@pytest.mark.parametrize(("values", "hint"), [
    ([[1, 1], [0, 0], [0, 1]], "Play the 7: the puzzle can still be solved. "
     "Play the 5: no solution was found in 2 tries. Play the 3: also possible."),
    ([[-0.5, 0], [-1, 0]], "No solution was found from here in 2 tries. You can take tiles back."),
])  # fmt: skip
def test_a_hint_of_a_puzzle_says_whether_it_can_be_solved(values, hint):
    assert of_puzzle(Comparison([7, 5, 3][: len(values)], np.array(values, float)), words) == hint


def test_the_adviser_stops_when_the_time_is_up_or_nobody_waits(monkeypatch):
    asked = []
    search = SimpleNamespace(compare=lambda *given: asked.append(given[3]) or Tries(*np.zeros((2, 1, 2, given[3]))))
    forever = float("inf")
    for seconds, stop, samples in (
        (0, False, advice.PART),
        (forever, True, advice.PART),
        (forever, False, advice.SAMPLES),
    ):
        monkeypatch.setattr(advice, "SECONDS", seconds)
        assert advice._sampled(search, None, None, None, lambda stop=stop: stop).values.shape == (1, 2, samples)
    assert max(asked) == advice.PART


@pytest.mark.parametrize("adviser", ["search:1", "search:64"])
@pytest.mark.parametrize(("hands", "told"), [
    ([["9"], ["4", "5"]], "you win about 100 of 100 games from here. It ends the game, and no other"),
    ([["9"], ["10"], ["4", "5"]], "Then you have nothing more to decide, and no other action had a better result in"),
])  # fmt: skip
def test_the_first_place_at_hand_is_advised_and_said_to_end_the_game_for_two(adviser, hands, told):
    game = tantra_envs.game("karma", players=len(hands))
    state = game.from_position({"hands": hands, "pile": "7"})
    obs, search = Observation(game, state), load(adviser, game)
    nine = game.parse_action(state, "play 9")
    action, hint = advise(search, obs, np.random.default_rng(0), words)
    assert action == nine and hint.startswith(f"Play the {nine}: ") and told in hint
    comparison = compare(search, obs, np.random.default_rng(0))
    assert comparison.last and comparison.ends == (len(hands) == 2)
    assert comparison.actions[0] == nine and len(comparison.actions) == 2


def test_only_the_last_tile_of_a_puzzle_is_said_to_end_the_game():
    game = tantra_envs.game("tantrix", mode="discovery", puzzle=3)
    state, search = game.new(1), load("search:8", game)
    for ends in (False, True):
        comparison = compare(search, Observation(game, state), np.random.default_rng(0))
        assert comparison.last is comparison.ends is ends and (comparison.values[0] == 1).all()
        game.apply_action(state, comparison.actions[0])
    assert state["over"][0]


@pytest.mark.parametrize(("name", "config"), [("karma", {"players": 2, "auto_setup": True}), ("tarot", {"players": 2})])
def test_the_advised_action_has_the_highest_number_or_is_that_of_the_scripted_agent(name, config):
    game = tantra_envs.game(name, **config)
    search = load("search:8", game)
    for seed in range(3):
        obs = Observation(game, game.new(seed))
        comparison = compare(search, obs, np.random.default_rng(0))
        means = comparison.values.mean(axis=1)
        assert (np.diff(means) <= 0).all() and len(means) == min(4, obs.action_mask.sum())
        scripted = int(ask(load("scripted", game), obs, np.random.default_rng(0))[0])
        assert comparison.actions[comparison.scripted] == scripted
        action = comparison.actions[advised(comparison)]
        assert advise(search, obs, np.random.default_rng(0), str)[0] == action
        assert action in (comparison.actions[0], scripted)


def test_hints_come_from_a_search_that_reads_the_value_network_and_weighs_probabilities_with_values():
    """The first action has the largest log p + eta x value among the compared ones, whatever the numbers alone say."""
    game = tantra_envs.game("karma")
    search, trained, rng = hinter(game), load("learned", game), np.random.default_rng(0)
    assert search.budget.leaf == "value" and search.budget.eta == 20
    for state in [game.new(seed) for seed in range(12)]:
        for _ in range(7):
            game.apply_action(state, game.legal(state)[0])
        obs = Observation(game, state)
        comparison = compare(search, obs, np.random.default_rng(0))
        (action,), (opinion,) = trained.weigh(obs, rng)
        assert comparison.actions[comparison.scripted] == action and advised(comparison) == 0
        log_p = np.log([opinion.values[action] for action in comparison.actions])
        ranks = log_p + search.budget.eta * comparison.values.mean(axis=1)
        assert comparison.ends or ranks[0] == pytest.approx(ranks.max())
        assert np.allclose(comparison.prior, np.exp(log_p), atol=1e-5)
        assert (np.diff(comparison.values[1:].mean(axis=1)) <= 0).all()
    advice = advise(search, obs, np.random.default_rng(0), str)
    assert advice[0] == comparison.actions[0] and " of 100 games from here" in advice[1]
    tarot = tantra_envs.game("tarot:hand", players=2)
    assert scale_of(hinter(tarot), tarot) == WINS
    assert hinter(tantra_envs.game("karma", karma_sets=False)).name == "search"


def test_the_only_action_and_rules_of_thumb_need_no_numbers():
    game = tantra_envs.game("karma", players=2)
    state, scripted, rng = game.new(1), load("scripted", game), np.random.default_rng(0)
    action, hint = advise(scripted, Observation(game, state), rng, words)
    assert action in game.legal(state)
    assert hint.startswith(f"Play the {action}. ") and module(game).THUMB in hint
    forced = SimpleNamespace(action_mask=np.array([[0, 0, 0, 1]]))
    assert advise(scripted, forced, rng, words) == (3, "Play the 3. It is the only action now.")


@pytest.mark.parametrize(("name", "config", "verb", "unit"), [
    ("karma", {"players": 3}, "you finish ahead of", "% of the opponents from here"),
    ("tarot", {"players": 2}, "after this hand you lead in", "of 100 games"),
    ("tarot:hand", {"players": 2}, WINS.verb, WINS.unit),  # the end of the round ends the game
    ("kanastic:round", {}, WINS.verb, WINS.unit),
    ("tantrix:solitaire", {}, "it brings", "points from here"),
    ("tantra", {"players": 3, "n_rounds": 1}, "you finish ahead of", "% of the opponents from here"),
    ("tantra", {"players": 3, "n_rounds": 2}, "after this round you are ahead of", "% of the opponents"),
])  # fmt: skip
def test_scales_say_how_far_the_adviser_looks(name, config, verb, unit):
    game = tantra_envs.game(name, **config)
    scale = scale_of(load("search", game), game)
    assert scale == Scale(verb, unit, hundreds=game.players > 1)
    assert scale.number(0.5) == ("50" if scale.hundreds else "0.50")


def test_a_new_hint_or_a_changed_table_stops_the_one_before(monkeypatch):
    session = seated("karma", "me,scripted", config={"players": 2, "auto_setup": True})
    table, person, waits = Table(session, None, None), session.people[0], []
    play(session, lambda session: session.history.state["seat"][0] == 0)
    monkeypatch.setattr("tantra_envs.table.table.advise", lambda *given: waits.append(given[4]) or (0, ""))
    for change in ("hint", {}), ("pace", {"speed": "slow"}):
        table.act(person, "hint", version=session.version)
        stopped = waits[-1]
        assert not stopped()
        table.act(person, change[0], version=session.version, **change[1])
        assert stopped()
