"""What agents think of their actions: true to what they play, and asked for without changing it."""

import numpy as np
import pytest

import tantra_envs
from agents import load, load_all
from tantra_envs.core.observation import Observation
from tantra_envs.core.opinions import BLUNDER, Opinion, opinions_on
from tantra_envs.matches.playing import play_tables

GAME = tantra_envs.game("karma")


class Asked:
    """An agent that rates its actions at every decision."""

    def __init__(self, agent):
        self.name, self.agent = agent.name, agent

    def act(self, obs, rng):
        return self.agent.weigh(obs, rng)[0]


@pytest.mark.parametrize("name", ["search:8", "search:samples=16,candidates=4", "learned:karma"])
def test_who_is_asked_plays_as_before(name):
    (agent, thinker), rows = load_all([name, name], GAME), [[0, 1], [1, 0]]
    plain, asked = (
        play_tables(GAME, [player, load("uniform", GAME)], rows, [4, 5], record=True)
        for player in (agent, Asked(thinker))
    )
    assert [list(map(int, a)) for a in plain.actions] == [list(map(int, a)) for a in asked.actions]


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
    played = play_tables(GAME, agents, [[0, 1]], [7], record=True)
    start = GAME.new(7)
    before, actions = start.tobytes(), list(map(int, played.actions[0]))
    told = opinions_on(GAME, start, actions, agents, seed=2)
    assert start.tobytes() == before
    assert told and told == opinions_on(GAME, start, actions, agents, seed=2)
    state = start.copy()
    for ply, action in enumerate(actions):
        if ply in told:
            assert state["seat"][0] == 0 and len(GAME.legal(state)) > 1
        elif state["seat"][0] == 0:
            assert len(GAME.legal(state)) == 1
        GAME.apply_action(state, action)


class Witness:
    """An adviser that keeps the random numbers that it is given."""

    name = "witness"

    def __init__(self):
        self.draws = []

    def act(self, obs, rng):
        return self.weigh(obs, rng)[0]

    def weigh(self, obs, rng):
        self.draws.append(rng.random())
        return obs.action_mask.argmax(axis=1), [Opinion("win probability", {0: 0.5}, {})]


def test_each_decision_is_judged_with_random_numbers_of_its_own():
    start, witness = GAME.new(3), Witness()
    state, actions = start.copy(), []
    for _ in range(6):
        actions.append(GAME.legal(state)[0])
        GAME.apply_action(state, actions[-1])
    opinions_on(GAME, start, actions, [witness] * 2, seed=7)
    assert witness.draws == [np.random.default_rng((7, ply)).random() for ply in range(6)]


def test_a_judge_knows_the_actions_before_a_decision():
    game = tantra_envs.game("tarot", episode="hand")
    start, scripted, judge, odds = game.new(3), load("scripted", game), Witness(), []
    state, actions = start.copy(), []
    while not state["over"][0]:
        actions.append(int(scripted.act(Observation(game, state), np.random.default_rng(0))[0]))
        game.apply_action(state, actions[-1])

    def weigh(obs, rng):
        odds.append(np.ptp(obs.log_odds(obs.determinize(9, rng, np.zeros(1, np.int64)), 0)))
        return obs.action_mask.argmax(axis=1), [None]

    judge.weigh = weigh
    assert not opinions_on(game, start, actions, [judge] * 2)
    assert odds[0] == 0 and max(odds) > 0


@pytest.mark.parametrize(("loss", "error", "mark"), [
    (0.049, 0.0, ""), (0.051, 0.0, "?"), (0.149, 0.0, "?"), (0.151, 0.0, "??"),
    (0.1, 0.049, "?"), (0.1, 0.051, ""), (0.2, 0.101, ""),
])  # fmt: skip
def test_the_least_losses_of_marks_are_5_and_15_points_and_two_standard_errors(loss, error, mark):
    assert Opinion("share of opponents", {1: 0.5, 2: 0.5 - loss}, {1: error}).mark(2) == mark
    assert BLUNDER == 0.15
