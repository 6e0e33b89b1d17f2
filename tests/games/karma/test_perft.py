"""Counting: how many sequences of legal actions there are from some tables, and how long random games are."""

from copy import deepcopy

import numpy as np
import pytest

import tantra_envs

from ..perft import random_games, sequences
from .reference import Model, deck_from_seed
from .table import Table

SEED = 7
POSITIONS = [  # a table, and the number of sequences of 1, 2, 3 .. actions
    (
        {"hands": ["7 7 8", "6 9 FIVE", "3 GIVE"], "up": ["4", "TABLE", "2 2"], "pile": "5 6"},
        [4, 10, 24, 66, 193, 524, 1162],
    ),
    (
        {"hands": ["9 9", "1 2", "8"], "up": ["BOTTOMS 4 4", "", "16"], "pile": "5 TABLE", "phase": "FOLLOW"},
        [4, 7, 9, 23, 53, 124, 262],
    ),
    (
        {"hands": ["9", "1 2", ""], "down": ["4 GIVE", "", ""], "pile": "5 12", "phase": "TARGET"},
        [2, 6, 13, 26, 44, 89, 187],
    ),
    ({"hands": ["", "", ""], "down": ["3 TABLE 9", "GIVE 3", "BOTTOMS FIVE"], "pile": "8"}, [2, 2, 2, 5, 8, 10, 14]),
]
DEALS = [
    ({"players": 2}, [5, 21, 72, 360, 1512, 5184]),
    ({"players": 2, "auto_setup": True}, [3, 3, 9, 21, 70, 211]),
    ({"players": 3, "auto_setup": True}, [3, 7, 15, 48, 144, 419]),
    ({"players": 4, "auto_setup": True}, [3, 6, 12, 42, 119, 308]),
    ({"players": 3, "auto_setup": True, "copies": 3}, [3, 9, 18, 60, 164, 474]),
]


@pytest.mark.parametrize(("position", "counts"), POSITIONS)
def test_sequences_from_a_position(position, counts):
    table = Table(**position)
    assert sequences(table.game, table.state, len(counts)) == counts


@pytest.mark.parametrize(("config", "counts"), DEALS)
def test_sequences_from_a_deal_and_in_the_model(config, counts):
    game = tantra_envs.game("karma", **config)
    model = Model(game.config, *deck_from_seed(SEED, game.players, game.config["copies"]))
    assert sequences(game, game.new(SEED), len(counts)) == counts
    for depth, expected in enumerate(counts, start=1):
        if expected < 1000:
            assert sequences_of_model(model, depth) == expected


def sequences_of_model(model, depth):
    total = 0
    for words in model.legal():
        after = deepcopy(model)
        after.apply(words)
        total += sequences_of_model(after, depth - 1) if depth > 1 else 1
    return total


@pytest.mark.parametrize(("players", "mean"), [(2, 200), (3, 238), (4, 265)])
def test_mean_length_of_random_games(players, mean):
    game, tables = tantra_envs.game("karma", players=players), 1000
    states, played = random_games(game, tables)
    assert played == states["plies"].sum()
    assert abs(played / tables - mean) < 12  # four standard errors
    assert np.quantile(states["plies"], 0.99) < 600
