"""Counting, as chess engines do with perft: sequences of legal actions from a table, and games played at random."""

from __future__ import annotations

import numpy as np
import pytest

import tantra_envs

OPEN = {"auto_forced": False}
HAND = {"episode": "hand"}  # what ends earlier counts nothing
TRUMP = {**HAND, "must_trump": True}
KINGS = [{"ranks": {"K": "KH KD KC"}}]
SETUP = {"auto_setup": True}
FOLLOWING, SHORT = ["W2 W9 T4 T0", "WQ C5 T11 C7", "CK WA T2 W10"], ["WK CQ T21 S2 S9", "W3 T0 T7 P4 PK"]

COUNTS = [  # game, options, a position or the seed of a deal, and the number of sequences of 1, 2, 3 .. actions
    ("karma", {"players": 3}, {"hands": ["7 7 8", "6 9 FIVE", "3 GIVE"], "up": ["4", "TABLE", "2 2"], "pile": "5 6"},
     [4, 10, 24, 66, 193, 524, 1162]),
    ("karma", {"players": 3}, {"hands": ["9 9", "1 2", "8"], "up": ["BOTTOMS 4 4", "", "16"], "pile": "5 TABLE",
                               "phase": "FOLLOW"}, [4, 7, 9, 23, 53, 124, 262]),
    ("karma", {"players": 3}, {"hands": ["9", "1 2", ""], "down": ["4 GIVE", "", ""], "pile": "5 12",
                               "phase": "TARGET"}, [2, 6, 13, 26, 44, 89, 187]),
    ("karma", {"players": 3}, {"hands": ["", "", ""], "down": ["3 TABLE 9", "GIVE 3", "BOTTOMS FIVE"], "pile": "8"},
     [2, 2, 2, 5, 8, 10, 14]),
    ("karma", {"players": 2}, 7, [5, 21, 72, 360, 1512, 5184]),
    ("karma", {"players": 2, **SETUP}, 7, [3, 3, 9, 21, 70, 211]),
    ("karma", {"players": 3, **SETUP}, 7, [3, 7, 15, 48, 144, 419]),
    ("karma", {"players": 4, **SETUP}, 7, [3, 6, 12, 42, 119, 308]),
    ("karma", {"players": 3, "copies": 3, **SETUP}, 7, [3, 9, 18, 60, 164, 474]),
    ("kanastic", {}, {"hands": ["AH AD AC AG KH KD KC SW 4H"]}, [14, 50, 191, 371, 986]),
    ("kanastic", {}, {"hands": ["7G 8G 10G AR AR 7H 7D KS"], "tables": KINGS}, [11, 42, 148, 337, 887]),
    ("kanastic", {}, {"hands": ["AH AD AR SW 4H 5D"], "pile": "9H AC", "phase": "DRAW", "tables": KINGS},
     [2, 10, 27, 76, 158]),
    ("kanastic", {}, {"hands": ["9G 4H 5D"], "tables": [{"ranks": {"9": "9H 9H 9D 9D 9C 9C 9S"}}]},
     [5, 8, 30, 44, 182]),
    ("tantra", {"players": 3},  # asking, selling, drawing
     {"display": 10, "wild": "10", "hands": ["2C 3D", "3D 4S", "4D 5C"], "phase": "ASK",
      "stock": "5D 6D 7D 8D 9D", "discard": "9S 2H"}, [2, 4, 9, 23, 48, 98, 231, 597]),
    ("tantra", {"players": 3, **OPEN},  # laying down two runs, one of them with a pair
     {"display": 21, "hands": ["5H 5H 6H 7H 7H 8H 9H 9H 2C", "3D", "3S"]}, [7, 7, 13, 13, 25, 25, 163, 163]),
    ("tantra", {"players": 3, **OPEN},  # kinds and a run with wild cards
     {"display": 2, "wild": "A", "hands": ["4C 4D 4H KC KD WILD 6S 7S 8S 9S 2C", "3D", "3S"]},
     [12, 12, 23, 23, 45, 45, 499, 499]),
    ("tantra", {"players": 3},  # laying off, a group with a duplicate among it
     {"display": 30, "hands": ["7H 9H JK 4C", "3D", "3S"], "laid_turn": [0, 0, -1],
      "sets": [{"seat": 1, "slot": 1, "run": "H", "start": 5, "cards": "5H 6H 7H"},
               {"seat": 1, "slot": 0, "kind": "4", "cards": "4D 4S 4H"}]}, [7, 13, 36, 53, 77, 98, 205, 364]),
    ("tantrix", {}, 7, [6, 320, 17550]),
    ("tantrix", {"players": 4}, 7, [6, 324, 17865]),
    ("tantrix", {"mode": "solitaire"}, 7, [1, 12, 161, 2071, 26858]),
    ("tantrix", {"mode": "solitaire", "missing": "B"}, 7, [1, 12, 161, 2168, 27593]),
    ("tarot", HAND, {"hands": ["W2 W3", "W4 W5"]}, [2, 4, 4, 4, 0]),
    ("tarot", HAND, {"hands": ["W2 T0", "C4 T5"]}, [2, 4, 4, 4, 0]),
    ("tarot", TRUMP, {"hands": ["W2 T0", "C4 T5"]}, [2, 3, 3, 3, 0]),
    ("tarot", {"players": 3, **HAND}, {"hands": ["W2 C3 T0", "W4 T5 CQ", "C9 WK T1"]}, [3, 5, 5, 10, 13, 16, 16]),
    ("tarot", {"players": 3, **HAND}, {"hands": FOLLOWING}, [4, 7, 10, 30, 36, 78, 156]),
    ("tarot", {"players": 3, **TRUMP}, {"hands": FOLLOWING}, [4, 7, 10, 30, 36, 58, 116]),
    ("tarot", HAND, {"hands": SHORT}, [5, 19, 76, 237, 711, 1761, 3522]),
    ("tarot", TRUMP, {"hands": SHORT}, [5, 10, 40, 63, 189, 405, 810]),
    # T0 or PK is given for W2 or W3, or nobody calls, or the other does
    ("tarot", HAND, {"hands": ["T21 WK W2 W3", "T0 PK S3"], "phase": "CALL"}, [2, 4, 10, 36]),
]  # fmt: skip
MEANS = [  # game, options, and the means of fields at the ends of random games, each with how far it may be off
    ("karma", {"players": 2}, {"plies": (200, 12)}),
    ("karma", {"players": 3}, {"plies": (238, 12)}),
    ("karma", {"players": 4}, {"plies": (265, 12)}),
    ("kanastic", {"episode": "round"}, {"plies": (400, 25)}),
    ("kanastic", {"episode": "round", "suit_rule": "any"}, {"plies": (250, 25)}),
    ("tantrix", {}, {"plies": (56, 0)}),
    ("tarot", {"players": 2}, {"hand_no": (8.7, 0.5), "plies": (494, 27)}),
    ("tarot", {"players": 3}, {"hand_no": (12.3, 0.7), "plies": (1025, 56)}),
]


def sequences(game, state, longest):
    """Return the numbers of sequences of 1, 2 .. `longest` actions; a game that ends earlier counts nothing more."""
    legal = game.legal(state)
    counts = [len(legal)] + [0] * (longest - 1)
    for action in legal if longest > 1 else []:
        after = state.copy()
        game.apply_action(after, action)
        for i, number in enumerate(sequences(game, after, longest - 1), start=1):
            counts[i] += number
    return counts


@pytest.mark.parametrize(("name", "config", "start", "counts"), COUNTS)
def test_there_are_so_many_sequences_of_actions(name, config, start, counts):
    """The counts were found a second time by slow code, or by hand."""
    game = tantra_envs.game(name, **config)
    state = game.from_position(start) if isinstance(start, dict) else game.new(start)
    assert sequences(game, state, len(counts)) == counts


@pytest.mark.parametrize(("name", "config", "means"), MEANS)
def test_random_games_are_as_long_as_those_of_others(name, config, means):
    """Means of random games that the specifications report, or that a second implementation had."""
    game, tables = tantra_envs.game(name, **config), 1000
    states, every = game.blanks(tables), np.arange(tables)
    game.drivers.deal_rows(states, every, every)
    played = game.drivers.random_playouts(states, np.zeros(game.actions.size, np.int8), 0, tables)
    assert played == states["plies"].sum()
    for field, (mean, most) in means.items():
        assert abs(states[field].mean() - mean) <= most, field
