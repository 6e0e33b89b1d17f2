"""Counting: how many sequences of legal placements there are, and how random games go."""

import pytest

import tantra_envs

from ..perft import random_games, sequences

COUNTS = [
    ({}, [6, 320, 17550]),
    ({"players": 4}, [6, 324, 17865]),
    ({"mode": "solitaire"}, [1, 12, 161, 2071, 26858]),
    ({"mode": "solitaire", "missing": "B"}, [1, 12, 161, 2168, 27593]),
]


@pytest.mark.parametrize(("config", "counts"), COUNTS, ids=str)
def test_sequences_from_a_deal(config, counts):
    game = tantra_envs.game("tantrix", **config)
    assert sequences(game, game.new(7), len(counts)) == counts


def test_random_games_of_strategy():
    game, tables = tantra_envs.game("tantrix"), 2000
    states, played = random_games(game, tables)
    assert played == 56 * tables
    assert (states["box"][:, 1] - states["box"][:, 0] < 29).all()
    assert abs(states["rewards"][:, 0].mean()) < 0.1
