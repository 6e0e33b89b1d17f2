"""Matches: agents are asked once a round, results depend on the arguments alone, illegal answers are refused."""

import sys
from unittest.mock import Mock

import numpy as np
import pytest

from tantra_envs import configuration
from tantra_envs.core.asking import AgentError
from tantra_envs.games import game
from tantra_envs.matches.match import SIDE_BY_SIDE, deal_seeds, play_alone, play_match, team_scores
from tantra_envs.matches.playing import play_tables

TWO = game("karma")
THREE = game("karma", players=3)
HANDS = configuration.game("tarot:mini", episode="game", target=40, max_hands=3)  # each is paid
TEAMS = game("kanastic", episode="round", max_turns=40)


class Random:
    """Uniform legal actions."""

    name = "random"

    def act(self, obs, rng):
        return (obs.action_mask * (1 - rng.random(obs.action_mask.shape))).argmax(axis=1)


class First(Random):
    """The first legal action; keeps count of what it was asked."""

    name = "first"

    def __init__(self):
        self.asked = []

    def act(self, obs, rng):
        self.asked.append(len(obs))
        return obs.action_mask.argmax(axis=1)


def test_the_same_arguments_give_the_same_outcome():
    seating, seeds = [[0, 1], [1, 0], [0, 0]], [4, 4, 5]
    one, same, other = (play_tables(TWO, [Random(), Random()], seating, seeds, seed=n).states for n in (3, 3, 4))
    assert one.tobytes() == same.tobytes() != other.tobytes()


def alone(game, seed):
    """A table at which all seats play their first legal action, and the sum of their rewards."""
    state, rewards = game.new(seed), np.zeros(game.players)
    while not state["over"][0]:
        game.apply_action(state, game.legal(state)[0])
        rewards += state["rewards"][0, : game.players]
    return state, rewards


@pytest.mark.parametrize("game_", [THREE, HANDS], ids=["one hand", "several hands"])
def test_an_outcome_is_what_playing_the_table_alone_gives(game_):
    outcome = play_tables(game_, [First()], np.zeros((5, game_.players), int), range(5))
    for seed in range(5):
        state, rewards = alone(game_, seed)
        assert outcome.rewards[seed].tolist() == rewards.tolist()
        assert (outcome.plies[seed], outcome.truncated[seed]) == (state["plies"][0], state["truncated"][0])


def test_an_agent_is_asked_once_a_round_for_all_its_tables():
    agent = First()
    outcome = play_tables(TWO, [agent], np.zeros((20, 2), int), range(20))
    assert agent.asked[0] == 20
    assert len(agent.asked) == outcome.plies.max()
    assert sum(agent.asked) == outcome.plies.sum()


def test_what_looks_on_is_shown_every_action():
    seen = []

    def look(states, rows, actions):
        seen.extend(zip(rows.tolist(), states["plies"][rows].tolist(), actions.tolist(), strict=True))

    outcome = play_tables(TWO, [Random()], np.zeros((3, 2), int), range(3), record=True, look=look)
    played = [(row, ply, a) for row, actions in enumerate(outcome.actions) for ply, a in enumerate(actions.tolist())]
    assert sorted(seen) == played


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda obs: np.zeros(len(obs) + 1, np.int64), "allowed: integers of shape"),
        (lambda obs: np.zeros((len(obs), 1), np.int64), "allowed: integers of shape"),
        (lambda obs: np.zeros(len(obs)), "allowed: integers of shape"),
        (lambda obs: obs.action_mask.argmin(axis=1), r"illegal action \d+ as seat \d; legal: .*place"),
        (lambda obs: np.full(len(obs), 999), "illegal action 999"),
        (lambda obs: np.full(len(obs), -1), "illegal action -1"),
        (lambda obs: None, r"None; allowed: integers of shape \(1,\)"),
        (
            lambda obs: (obs.action_mask.argmin(axis=1), obs.action_mask.fill(1))[0],
            "the illegal action",
        ),  # its own mask
    ],
)
def test_an_answer_that_is_no_legal_action_is_refused(answer, words):
    class Wrong(Random):
        name = "wrong"

        def act(self, obs, rng):
            return answer(obs)

    with pytest.raises(ValueError, match=f"agent 'wrong' returned .*{words}"):
        play_tables(TWO, [Wrong()], [[0, 0]], [0])


@pytest.mark.parametrize(
    ("act", "cause"),
    [
        (lambda self, obs, rng: 1 // 0, ZeroDivisionError),
        (lambda self, obs, rng: obs.hands, AttributeError),
        (lambda self, obs, rng: [].pop(), IndexError),
        (lambda self, obs, rng: [[1], [2, 3]], ValueError),  # no array
        (lambda self, obs, rng: sys.exit(), SystemExit),
        (lambda self, obs, rng: next(iter(())), StopIteration),
        (lambda self, obs: obs.action_mask.argmax(axis=1), TypeError),
        (3, TypeError),
        (None, TypeError),
    ],
)
def test_an_agent_that_fails_is_named_and_the_cause_is_kept(act, cause):
    agent = type("Failing", (), {"name": "mine", "act": act})()
    with pytest.raises(AgentError, match=f"agent 'mine' failed: {cause.__name__}: ") as failed:
        play_tables(TWO, [agent], [[0, 0]], [0])
    assert type(failed.value.__cause__) is cause
    if callable(act) and cause is ZeroDivisionError:
        assert f"{__file__}, line {act.__code__.co_firstlineno}" in str(failed.value)


def test_ctrl_c_while_an_agent_decides_is_not_its_failure():
    with pytest.raises(KeyboardInterrupt):
        play_tables(TWO, [Mock(act=Mock(side_effect=KeyboardInterrupt))], [[0, 0]], [0])


@pytest.mark.parametrize(
    ("seating", "seeds", "words"),
    [
        ([[0, 0, 0]], [0], r"seating has shape \(1, 3\); allowed: \(tables, 2\)"),
        ([[0, 0]], [0, 1], "seeds have shape"),
        ([[0, 1]], [0], r"seating has agents 0\.\.1; allowed: 0\.\.0"),
        ([[0, -1]], [0], r"seating has agents -1\.\.0"),
    ],
)
def test_a_seating_that_does_not_fit_is_refused(seating, seeds, words):
    with pytest.raises(ValueError, match=words):
        play_tables(TWO, [Random()], seating, seeds)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"lineup": [0, 1, 1]}, "lineup="),
        ({"lineup": [0, 0]}, "lineup="),
        ({"lineup": [0, 2]}, "lineup="),
        ({"seed": 1 << 31}, "seed=2147483648 is not allowed"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(change, words):
    with pytest.raises(ValueError, match=words):
        play_match(TWO, [Random(), Random()], **{"lineup": [0, 1], "deals": 1, **change})


def test_scores_are_shares_of_the_others_beaten():
    rewards = np.array([[1.0, 1.0, -1.0], [0.0, 0.0, 0.0], [3.0, 2.0, 1.0]])
    assert team_scores(rewards).tolist() == [[0.75, 0.75, 0.0], [0.5, 0.5, 0.5], [1.0, 0.5, 0.0]]


def test_an_agent_against_itself_is_exactly_even_over_duplicate_deals():
    """Two agents that play the same way, from any seat, share every deal."""
    match = play_match(THREE, [First(), First()], [0, 1, 1], 30)
    assert np.allclose(match.scores.mean(axis=1), 0.5, atol=0.2)
    assert match.score(0).mean == pytest.approx(0.5)
    assert match.reward(0).mean == pytest.approx(match.reward(1).mean)


def test_partners_are_one_agent_and_their_team_scores_once():
    match = play_match(TEAMS, [Random(), First()], [0, 1], 3)
    outcome = play_tables(TEAMS, [Random(), First()], [[0, 1, 0, 1], [1, 0, 1, 0]] * 3, np.repeat(range(3), 2), (0, 0))
    assert (outcome.rewards[:, :2] == outcome.rewards[:, 2:]).all()
    assert np.allclose(match.rewards[:, 0], (outcome.rewards[::2, 0] + outcome.rewards[1::2, 1]) / 2)
    assert np.allclose(match.scores.sum(axis=1), 1)
    with pytest.raises(ValueError, match="allowed: an agent for each of 2 teams"):
        play_match(TEAMS, [Random(), First()], [0, 1, 0, 1], 1)


def test_whole_blocks_of_a_longer_match_are_those_of_a_shorter_one():
    first, longer = (play_match(TWO, [Random(), First()], [0, 1], n) for n in (SIDE_BY_SIDE, SIDE_BY_SIDE + 3))
    assert (longer.scores[:SIDE_BY_SIDE] == first.scores).all()
    actions = 2 * (longer.plies * (SIDE_BY_SIDE + 3) - first.plies * SIDE_BY_SIDE)  # in the games of the other deals
    assert 0 < actions == pytest.approx(round(actions))


def test_deals_of_seeds_are_apart_and_those_that_the_seed_names():
    assert deal_seeds(3, 5, 2).tolist() == [(3 << 32) + 5, (3 << 32) + 6]
    assert play_match(TWO, [First(), First()], [0, 1], 1, seed=6).plies == alone(TWO, 6 << 32)[0]["plies"]


def test_one_agent_alone_has_nobody_to_beat():
    with pytest.raises(ValueError, match="agents=1 is not allowed; allowed: 2 or more"):
        play_alone(game("tantrix", mode="solitaire"), [First()], 2)
