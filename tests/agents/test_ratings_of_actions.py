"""What agents think of their actions: true to what they play, and asked for without changing it."""

from types import SimpleNamespace

import numpy as np
import pytest

import tantra_envs
from agents import load, load_all
from tantra_envs.core.observation import Observation
from tantra_envs.core.opinions import Opinion, opinions_on
from tantra_envs.matches.playing import play_tables
from tantra_envs.table.history import History, deal

GAME = tantra_envs.game("karma")


@pytest.mark.parametrize("name", ["search:8", "search:samples=16,candidates=4", "learned:karma"])
def test_who_is_asked_plays_as_before(name):
    agent, thinker, other = load_all([name, name, "uniform"], GAME)
    asked = SimpleNamespace(name=name, act=lambda obs, rng: thinker.weigh(obs, rng)[0])
    plain, rated = (play_tables(GAME, [own, other], [[0, 1], [1, 0]], [4, 5]).states for own in (agent, asked))
    assert plain.tobytes() == rated.tobytes()


def test_search_tells_what_its_candidates_came_to():
    search = load("search:samples=32,candidates=4,margin=0", GAME)
    states = GAME.new(3)
    while (GAME.mask(states) != 0).sum() < 6:
        GAME.apply_action(states, GAME.legal(states)[0])
    obs = Observation(GAME, states)
    (action,), (opinion,) = search.weigh(obs, np.random.default_rng(1))
    assert search.act(obs, np.random.default_rng(1)) == [action] and opinion.choice == action
    assert len(opinion.values) == 4 and set(opinion.values) <= set(GAME.legal(states))
    assert opinion.values.keys() == opinion.errors.keys()
    assert opinion.values[action] >= max(opinion.values.values()) - max(opinion.errors.values()) * 6
    assert all(-0.01 <= value <= 1.01 for value in opinion.values.values())
    assert opinion.worth == "win probability, in 32 sampled deals"


def test_a_network_tells_probabilities():
    learned = load("learned:karma", GAME)
    states = GAME.new(3)
    (action,), (opinion,) = learned.weigh(Observation(GAME, states), np.random.default_rng(1))
    assert sorted(opinion.values) == GAME.legal(states)
    assert sum(opinion.values.values()) == pytest.approx(1)
    assert max(opinion.values, key=opinion.values.get) == action
    assert opinion.errors == {}


def test_a_game_is_gone_through_and_left_as_it_is():
    agents = load_all(["search:4", "scripted"], GAME)
    actions = list(map(int, play_tables(GAME, agents, [[0, 1]], [7], record=True).actions[0]))
    start, state = GAME.new(7), GAME.new(7)
    told, again = (opinions_on(GAME, start, actions, agents, seed=2) for _ in range(2))
    assert start.tobytes() == state.tobytes() and told and told == again
    for ply, action in enumerate(actions):
        assert (ply in told) == (state["seat"][0] == 0 and len(GAME.legal(state)) > 1)
        GAME.apply_action(state, action)


def judge_who(weigh):
    """An adviser that rates actions by a function."""
    return SimpleNamespace(name="judge", act=lambda obs, rng: weigh(obs, rng)[0], weigh=weigh)


def test_each_decision_is_judged_with_random_numbers_of_its_own():
    start, draws = GAME.new(3), []

    def weigh(obs, rng):
        draws.append(rng.random())
        return obs.action_mask.argmax(axis=1), [Opinion("win probability", {0: 0.5}, {})]

    history = History(GAME, start)
    for _ in range(6):
        history.play(GAME.legal(history.state)[0])
    opinions_on(GAME, start, [past.action for past in history.moves], [judge_who(weigh)] * 2, seed=7)
    assert draws == [np.random.default_rng((7, ply)).random() for ply in range(6)]


def test_a_judge_knows_the_actions_before_a_decision():
    game = tantra_envs.game("tarot", episode="hand")
    history, scripted, odds = deal(game, 3), load("scripted", game), []
    while not history.is_over:
        history.ask(scripted, np.random.default_rng(0))

    def weigh(obs, rng):
        odds.append(np.ptp(obs.log_odds(obs.determinize(9, rng, np.zeros(1, np.int64)), 0)))
        return obs.action_mask.argmax(axis=1), [None]

    assert not opinions_on(game, history.start, [past.action for past in history.moves], [judge_who(weigh)] * 2)
    assert odds[0] == 0 and max(odds) > 0


@pytest.mark.parametrize(("loss", "error", "mark"), [
    (0.0, 0.0, ""), (0.049, 0.0, ""), (0.051, 0.0, "?"), (0.149, 0.0, "?"), (0.151, 0.0, "??"),
    (0.1, 0.049, "?"), (0.1, 0.051, ""), (0.2, 0.101, ""),
])  # fmt: skip
def test_the_least_losses_of_marks_are_5_and_15_points_and_two_standard_errors(loss, error, mark):
    rated = Opinion("share of opponents", {1: 0.5, 2: 0.5 - loss}, {1: error})
    assert rated.mark(2) == mark
    assert rated.mark(1) == rated.mark(9) == ""  # the best action, and one without a value
    assert rated._replace(worth="reward, in 64 sampled deals").mark(2) == ""


def test_a_loss_is_the_difference_to_the_choice_of_the_agent():
    rated = Opinion("win probability", {1: 0.6, 2: 0.62, 3: 0.4}, {1: 0.01, 2: 0.01, 3: 0.02}, choice=1)
    assert rated.best == 1 and rated._replace(choice=None).best == 2
    assert rated.loss(1) == rated.loss(2) == (0.0, 0.0) and rated.mark(2) == ""
    assert np.allclose(rated.loss(3), (0.2, np.hypot(0.01, 0.02))) and rated.mark(3) == "??"
