"""Networks over action features in compiled playouts: they decide as they do at the table."""

from itertools import pairwise

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled import network
from tantra_envs.core.compiled.jit import entry_point
from tantra_envs.core.observation import Observation
from tantra_envs.core.playouts import Playouts
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents import networks, opponent

TABLES = [
    ("karma", {"players": 3}, 20),
    ("tarot:hand", {"players": 3}, 12),
    ("kanastic", {"players": 2}, 1),
    ("kanastic", {"players": 4, "max_rounds": 1}, 4),
    ("tantra", {"players": 5}, 8),
    ("tantrix", {"players": 3}, 8),
    ("tantrix", {"mode": "gobble", "players": 3}, 5),
    ("tantrix", {"mode": "solitaire"}, 30),
]
pytestmark = pytest.mark.filterwarnings("ignore:learned was trained for")


def positions(game, games, most=1000):
    """Return some of the positions in games of the scripted agent, with the random one at every fifth seat."""
    seen, agents = [], [opponent(name, game) for name in ("scripted", "uniform")]
    look = lambda states, rows, actions: seen.append(states[rows].copy())  # noqa: E731
    seating = np.arange(games * game.players).reshape(games, -1) % 5 == 4
    play_tables(game, agents, seating.astype(int), list(range(games)), 1, look=look)
    states = np.concatenate(seen)
    return states[np.random.default_rng(2).permutation(len(states))[:most]]


def random_network(game, *hidden):
    rng, widths = np.random.default_rng(3), (sum(game.features.sizes), *hidden, 1)
    layers = [
        (rng.normal(0, width**-0.5, (wider, width)), rng.normal(0, 0.3, wider)) for width, wider in pairwise(widths)
    ]
    return networks.packed(layers, tanh=True)


@pytest.mark.parametrize(("name", "config", "games"), TABLES, ids=str)
def test_the_network_decides_in_playouts_as_at_the_table(name, config, games):
    game = tantra_envs.game(name, **config)
    net, obs = random_network(game, 30, 64), Observation(game, positions(game, games))
    playouts, legal = Playouts(game, networks.NetworkPolicy(game, net, True)), obs.action_mask == 1
    logits = np.where(legal, networks.feature_logits(game, net, obs.described), -np.inf)
    ratings = playouts.rate(obs.known, obs.action_mask)
    assert len(obs) > 300 and logits[legal].std() > 0.05
    assert np.abs(ratings[legal] - logits[legal]).max() < 4e-6 and np.isneginf(ratings[~legal]).all()
    actions = playouts.choose(obs.known, obs.action_mask)
    assert (actions == ratings.argmax(axis=1)).all()
    lost = logits.max(axis=1) - logits[np.arange(len(obs)), actions]
    assert lost.max() < 1e-5 and (actions == logits.argmax(axis=1)).mean() > 0.99  # equal features tie up to rounding


def test_playouts_play_as_games_of_the_agent_do():
    game = tantra_envs.game("karma", players=3)
    agent, states = opponent("learned", game), np.concatenate([game.new(seed) for seed in range(20)])
    by_hand = states.copy()
    Playouts(game, agent.policy()).run(states, plies=60)
    for _ in range(60):
        live = np.flatnonzero(by_hand["over"] == 0)
        game.drivers.apply_rows(by_hand, live, agent.act(Observation(game, by_hand, live), None))
    assert (states == by_hand).all() and (states["plies"] > 20).all()


def test_a_network_that_does_not_fit_is_refused():
    game, other = tantra_envs.game("karma", players=3), tantra_envs.game("kanastic")
    with pytest.raises(ValueError, match="the inputs or outputs of the network do not fit; allowed: "):
        networks.NetworkPolicy(game, random_network(other, 8), True)
    with pytest.raises(ValueError, match="a network without hidden layers cannot play in playouts; allowed: 1 or more"):
        networks.NetworkPolicy(game, random_network(game), True)


def test_tanh_is_that_of_numpy():
    @entry_point
    def fill(numbers):
        for i in range(len(numbers)):
            numbers[i] = network._tanh(numbers[i])

    numbers = np.linspace(-12, 12, 48_001, dtype=np.float32)
    wanted = np.tanh(numbers.astype(np.float64))
    fill(numbers)
    assert np.abs(numbers - wanted).max() < 4e-7
    assert np.abs(numbers).max() < 1 + 4e-7 and (numbers == -numbers[::-1]).all()
