"""Counting: how many sequences of legal actions there are from some tables, and how long random rounds are."""

import numpy as np
import pytest

import tantra_envs

from ..perft import random_games, sequences

POSITIONS = [  # a table, and the number of sequences of 1, 2, 3 .. actions
    ({"hands": ["AH AD AC AG KH KD KC SW 4H"]}, [14, 50, 191, 371, 986]),
    ({"hands": ["7G 8G 10G AR AR 7H 7D KS"], "tables": [{"ranks": {"K": "KH KD KC"}}]}, [11, 42, 148, 337, 887]),
    (
        {"hands": ["AH AD AR SW 4H 5D"], "pile": "9H AC", "phase": "DRAW", "tables": [{"ranks": {"K": "KH KD KC"}}]},
        [2, 10, 27, 76, 158],
    ),
    ({"hands": ["9G 4H 5D"], "tables": [{"ranks": {"9": "9H 9H 9D 9D 9C 9C 9S"}}]}, [5, 8, 30, 44, 182]),
]


@pytest.mark.parametrize(("position", "counts"), POSITIONS)
def test_sequences_from_a_position(position, counts):
    game = tantra_envs.game("kanastic")
    state = game.from_position(position)
    assert sequences(game, state, len(counts)) == counts


@pytest.mark.parametrize(("rule", "turns", "decisions"), [("three_suits", 165, 400), ("any", 97, 250)])
def test_length_of_random_rounds(rule, turns, decisions):
    game, tables = tantra_envs.game("kanastic", episode="round", suit_rule=rule), 1000
    states, played = random_games(game, tables)
    assert abs(np.median(states["last_turns"]) - turns) < 10
    assert abs(played / tables - decisions) < 25
