"""What the checks for all games need to know about Tarot: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

TAROTS = [0, 1, 21, 35, 49, 63, 77]
THIRD, DISCARDED = 3, 5
BASE = {"target": 20}  # reaches every phase in a few hands
TABLES = [  # both numbers of seats, and hands enough to be dealt one after the other
    {"target": 20},
    {"players": 3, "target": 10},
    {"players": 3, "deck_cards": "mini", "call_rule": "at_least_two", "target": 10},  # a hand may be all honours
    {"players": 3, "target": 10, "reward": "score", "must_trump": True, "talon": "take_first"},
    {
        "players": 3,
        "target": 10,
        "auto_declare": True,
        "discard_rule": "no_trumps_kings",
        "king_points": 20,
        "fool_points": 0,
        "call_points": 11,
    },
]

HANDS = {("all", 2): 25, ("all", 3): 25, ("mini", 2): 4, ("mini", 3): 3, ("tiny", 2): 2, ("tiny", 3): 2}  # by seats
ASIDE = {("all", 2): 25, ("all", 3): 0, ("mini", 2): 2, ("mini", 3): 1, ("tiny", 2): 3, ("tiny", 3): 1}  # third hand

# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({"players": 3, "target": 20}, 1), ({"max_moves": 40}, 1)]
SET_UP = [({"players": 3, "target": 20}, {"hands": ["W2 C3", "T0 T1", "PK P2"], "trick": "S3"})]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return True


def invariants(game: Game, state: States) -> None:
    """Check facts that hold after every action but not in every position: sizes of hands, totals, who may be asked."""
    s, phase = state[0], game.phases[state["phase"][0]]
    deck = game.config["deck_cards"], game.players
    _check_sizes(s, game.players, phase, deck)
    assert s["taken"].sum() == s["trick_no"] - (25 - HANDS[deck])
    net = np.bincount(s["scorer"][: s["hand_no"]], s["scored"][: s["hand_no"]], len(s["totals"]))
    assert (net == s["totals"]).all(), "totals are not the sum of the hands"
    tarots = int((s["loc"][TAROTS] == s["seat"]).sum())
    assert phase != "CALL" or 2 <= tarots <= 6
    assert phase != "ANSWER" or tarots >= 2


def _check_sizes(s: np.void, n: int, phase: str, deck: tuple[str, int]) -> None:
    counts = np.bincount(s["loc"], minlength=8)
    assert counts[THIRD] == ASIDE[deck]
    assert counts[DISCARDED] == (3 if deck[0] == "all" else 0) or phase == "DISCARD" or s["truncated"]
    if phase == "PLAY":
        led = [(int(s["leader"]) + i) % n for i in range(s["trick_n"])]
        for seat in range(n):
            assert s["hand_n"][seat] == 25 - s["trick_no"] - (seat in led), f"hand of seat {seat}"


def winners(game: Game, state: States) -> list[int]:
    """The seat that wins, if any."""
    return [int(state[0]["winner"])] if state[0]["winner"] >= 0 else []
