"""What the checks for all games need to know about Karma: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

BASE = {"players": 3}  # reaches every phase
TABLES = [  # every number of seats that plays differently, with cards enough
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 6, "copies": 3},
    {"players": 8, "decks": 2},
    {"players": 12, "copies": 3, "decks": 2},
    {"players": 3, "table_cards": 2, "hand_size": 6, "refill": 6, "five_limit": 7},
]

# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({"players": 3}, 1), ({"players": 3, "max_moves": 9}, 1)]
SET_UP = [({"players": 3}, {"hands": ["7 GIVE", "3", "TABLE"], "pile": "5 6"})]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.players == 2 or game.config["reward"] != "winlose"


def invariants(game: Game, state: States) -> None:
    """Check that the zones hold the whole deck, and facts that hold after every action but not in every position."""
    s = state[0]
    cards = game.fields.cards(state)
    assert (cards == s["opt"]["copies"]).all(), f"cards of the types: {cards}"
    if game.phases[s["phase"]] == "PLAY":
        fewest = min(3, s["opt"]["refill"])
        assert s["hand_n"][s["seat"]] >= fewest or not s["draw_n"], f"a hand of less than {fewest} with cards to draw"
    holding = np.flatnonzero(s["hand_n"] + s["up_n"] + s["down_n"])
    assert not s["over"] or s["truncated"] or holding.tolist() == [s["loser"]]


def winners(game: Game, state: States) -> list[int]:
    """The seats that a finished game makes winners: all but the loser, or by place the first one that went out."""
    s = state[0]
    if s["truncated"]:
        return []
    others = [seat for seat in range(game.players) if seat != s["loser"]]
    return [int(s["out"][0])] if game.config["reward"] == "placement" else others
