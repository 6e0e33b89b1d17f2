"""What the checks for all games need to know about Karma: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

GIVE = 16
BASE = {"players": 3}  # reaches every phase
TABLES = [  # every number of seats that plays differently, with cards enough
    {"players": 2},
    {"players": 3},
    {"players": 4},
    {"players": 6, "copies": 3},
    {"players": 8, "decks": 2},
    {"players": 12, "copies": 3, "decks": 2},
]

# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({"players": 3}, 1), ({"players": 3, "max_moves": 9}, 1)]
SET_UP = [({"players": 3}, {"hands": ["7 GIVE", "3", "TABLE"], "pile": "5 6"})]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.players == 2 or game.config["reward"] != "winlose"


def invariants(game: Game, state: States) -> None:
    """Every card in exactly one place, and all counts true."""
    s, n = state[0], game.players
    _check_cards(s, n)
    _check_lengths(s, n)
    holding = [seat for seat in range(n) if s["hand_n"][seat] + s["up_n"][seat] + s["down_n"][seat]]
    phase = game.phases[s["phase"]]
    if phase == "PLAY":
        assert s["seat"] in holding
        assert s["hand_n"][s["seat"]] >= 3 or not s["draw_n"], "a hand of less than three with cards to draw"
    if phase != "TARGET" and not s["truncated"]:
        assert sorted(s["out"][: s["out_n"]].tolist() + holding) == list(range(n)), "everybody is out or has cards"
    assert len(holding) >= 1 and (not s["over"] or s["truncated"] or holding == [s["loser"]])


def _check_cards(s: np.void, n: int) -> None:
    """Types are counted over all places; tails of lists are zero."""
    lists = [s["pile"][: s["pile_n"]], s["draw"][: s["draw_n"]], *[s["down"][p][: s["down_n"][p]] for p in range(n)]]
    counts = s["hands"].sum(0) + s["up"].sum(0) + s["gone"] + np.bincount(np.concatenate(lists), minlength=20)
    assert (s["piled"] == np.bincount(lists[0], minlength=20)).all(), "the pile is miscounted"
    assert (counts == s["opt"]["copies"]).all(), f"cards of the types: {counts}"
    assert GIVE not in s["pile"][: s["pile_n"]], "GIVE lies in the pile"
    assert not s["pile"][s["pile_n"] :].any() and not s["draw"][s["draw_n"] :].any(), "cards behind the end of a list"
    assert (s["hands"] >= 0).all() and (s["up"] >= 0).all() and (s["gone"] >= 0).all(), "less than no cards"
    assert (s["known"] >= 0).all() and (s["known"] <= s["hands"]).all(), "known cards that are not in the hand"


def _check_lengths(s: np.void, n: int) -> None:
    assert (s["hand_n"] == s["hands"].sum(1)).all() and (s["up_n"] == s["up"].sum(1)).all(), "a zone is miscounted"
    assert (s["up_n"] <= 3).all() and (s["down_n"] <= 3).all(), "more than three table cards"
    for name in ("hand_n", "up_n", "down_n", "out", "hands", "known"):
        assert not s[name][n:].any(), f"{name} of seats that nobody sits on"
    top = s["pile"][max(0, s["pile_n"] - s["run"]) : s["pile_n"]]
    assert s["run"] <= s["pile_n"] and len(set(top.tolist())) <= 1, "the run is not of identical cards"
