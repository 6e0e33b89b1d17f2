"""Networks over action features in compiled playouts: they decide as they do at the table."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled import network
from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts, rated
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents import networks, opponent, playing_as

TABLES = [
    ("karma", {"players": 3}, 20),
    ("kanastic", {"players": 2}, 2),
    ("kanastic", {"players": 4, "max_rounds": 1}, 3),
    ("tantra", {"players": 5, "max_rounds": 1}, 8),
    ("tantrix", {"players": 3}, 4),
    ("tantrix", {"mode": "gobble"}, 4),
    ("tantrix", {"mode": "solitaire"}, 6),
]
pytestmark = pytest.mark.filterwarnings("ignore:learned was trained for")


def positions(game, agent, games, most=1000):
    """Return positions of games between copies of an agent that takes random actions now and then."""
    seen = []

    class Exploring:
        name = "exploring"

        def act(self, obs, rng):
            uniform = np.where(obs.action_mask == 1, rng.random(obs.action_mask.shape), -1).argmax(axis=1)
            return np.where(rng.random(len(obs)) < 0.2, uniform, agent.act(obs, rng))

    look = lambda states, rows, actions: seen.append(states[rows].copy())  # noqa: E731
    play_tables(game, [Exploring()], np.zeros((games, game.players), int), list(range(games)), 1, look=look)
    states = np.concatenate(seen)
    return states[np.random.default_rng(2).permutation(len(states))[:most]]


@pytest.mark.parametrize(("name", "config", "games"), TABLES, ids=str)
def test_the_network_decides_in_playouts_as_at_the_table(name, config, games):
    game = tantra_envs.game(name, **config)
    agent, played = opponent("learned", game), playing_as("learned", game)
    obs = Observation(game, positions(game, agent, games))
    logits = agent.logits(obs)
    ratings = rated(played, obs.known, obs.action_mask, played.scripted.prepare(played))
    legal = obs.action_mask == 1
    assert np.abs(ratings[legal] - logits[legal]).max() < 4e-6 and np.isneginf(ratings[~legal]).all()
    chosen = played.scripted.choose(played, obs.known, obs.action_mask)
    assert (chosen == ratings.argmax(axis=1)).all()
    best = np.take_along_axis(logits, logits.argsort(axis=1)[:, -2:], axis=1)
    clear = best[:, 1] - best[:, 0] > 1e-5
    assert len(obs) > 300 and clear.mean() > 0.9
    assert (chosen == logits.argmax(axis=1))[clear].all()


def test_playouts_play_as_games_of_the_agent_do():
    game = tantra_envs.game("karma", players=3)
    agent, played = opponent("learned", game), playing_as("learned", game)
    states = game.blanks(20)
    game.drivers.deal_rows(states, np.arange(20), np.arange(20))
    by_hand = states.copy()
    Playouts(played).run(states, plies=60)
    for _ in range(60):
        live = np.flatnonzero(by_hand["over"] == 0)
        game.drivers.apply_rows(by_hand, live, agent.act(Observation(game, by_hand, live), None))
    assert (states == by_hand).all() and (states["plies"] > 20).all()


@pytest.mark.parametrize(("name", "config", "games"), TABLES[:2] + TABLES[3:5], ids=str)
def test_search_plays_on_with_the_network(name, config, games):
    game = tantra_envs.game(name, **config)
    agent, state = opponent("search:2,candidates=3,base=learned", game), game.new(3)
    assert agent.origin["base"] == "learned" and agent.origin["digest"]
    for _ in range(6):
        game.apply_action(state, int(agent.act(Observation(game, state), np.random.default_rng(1))[0]))
    assert agent.simulations > 0


def test_a_network_that_does_not_fit_is_refused():
    game, rng = tantra_envs.game("karma", players=3), np.random.default_rng(1)
    width = sum(networks.feature_sizes(game))
    one = (rng.normal(size=(8, width)), rng.normal(size=8)), (rng.normal(size=(1, 8)), rng.normal(size=1))
    assert networks.features_played_by(game, networks.packed(one)).scripted.choose
    with pytest.raises(ValueError, match="the inputs or outputs of the network do not fit; allowed"):
        networks.features_played_by(game, networks.packed([(rng.normal(size=(8, width + 9)), one[0][1]), one[1]]))
    with pytest.raises(ValueError, match="a network without hidden layers cannot play in playouts; allowed: 1 or more"):
        networks.features_played_by(game, networks.packed([(rng.normal(size=(1, width)), rng.normal(size=1))]))


def test_tanh_is_that_of_numpy():
    @entry_point
    def fill(numbers):
        for i in range(len(numbers)):
            numbers[i] = network._tanh(numbers[i])

    numbers = np.linspace(-12, 12, 48_001, dtype=np.float32)
    wanted = np.tanh(numbers.astype(np.float64))
    fill(numbers)
    assert np.abs(numbers - wanted).max() < 4e-7
    assert (np.diff(numbers) > -3e-7).all() and (numbers == -numbers[::-1]).all()
