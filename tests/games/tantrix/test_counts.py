"""Counting: how many sequences of legal placements there are, and how random games go."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs

COUNTS = [
    ({}, [6, 320, 17550]),
    ({"players": 4}, [6, 324, 17865]),
    ({"mode": "solitaire"}, [1, 12, 161, 2071, 26858]),
    ({"mode": "solitaire", "missing": "B"}, [1, 12, 161, 2168, 27593]),
]


def sequences(game, state, depth):
    """The number of legal sequences of `depth` placements; a game that ends earlier counts nothing."""
    legal = game.legal(state)
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        after = state.copy()
        game.apply_action(after, action)
        total += sequences(game, after, depth - 1)
    return total


@pytest.mark.parametrize(("config", "counts"), COUNTS, ids=str)
def test_sequences_from_a_deal(config, counts):
    game = tantra_envs.game("tantrix", **config)
    assert [sequences(game, game.new(7), depth) for depth in range(1, len(counts) + 1)] == counts


def test_random_games_of_strategy():
    game, tables = tantra_envs.game("tantrix"), 2000
    states = game.blanks(tables)
    game.drivers.deal_rows(states, np.arange(tables), np.arange(tables))
    played = game.drivers.random_playouts(states, np.zeros(game.actions.size, np.int8), 0, tables)
    assert played == 56 * tables
    assert (states["box"][:, 1] - states["box"][:, 0] < 29).all()
    assert abs(states["rewards"][:, 0].mean()) < 0.1
