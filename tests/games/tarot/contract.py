"""What the checks for all games need to know about Tarot: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

TAROTS = [0, 1, 21, 35, 49, 63, 77]
THIRD, TALON, DISCARDED, TRICK, GONE = 3, 4, 5, 6, 7
BASE = {"target": 20}  # reaches every phase in a few hands
TABLES = [  # both numbers of seats, and hands enough to be dealt one after the other
    {"target": 20},
    {"players": 3, "target": 10},
    {"players": 3, "target": 10, "reward": "score", "must_trump": True, "talon": "take_first"},
    {"players": 3, "target": 10, "auto_declare": True, "discard_rule": "no_trumps_kings"},
]

# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({"players": 3, "target": 20}, 1), ({"max_moves": 40}, 1)]
SET_UP = [({"players": 3, "target": 20}, {"hands": ["W2 C3", "T0 T1", "PK P2"], "trick": "S3"})]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return True


def invariants(game: Game, state: States) -> None:
    """Every card in one place, hands of the right size, and nothing known of cards that are not in a hand."""
    s, n = state[0], game.players
    phase = game.phases[s["phase"]]
    _check_cards(s, n, phase)
    _check_knowledge(s, n)
    _check_scores(s, n)
    _check_question(s, phase)
    for name in ("deck", "room", "left"):
        assert not s[name].any(), f"the scratch {name} is left behind"


def _check_cards(s: np.void, n: int, phase: str) -> None:
    assert (s["loc"] >= 0).all() and (s["loc"] <= GONE).all() and not (s["loc"] == 2)[: 78 * (n == 2)].any()
    counts = np.bincount(s["loc"], minlength=8)
    assert (s["hand_n"][:n] == counts[:n]).all() and not s["hand_n"][n:].any(), "a hand is miscounted"
    assert counts[THIRD] == (25 if n == 2 else 0)
    assert counts[TRICK] == s["trick_n"] and (s["loc"][s["trick"][: s["trick_n"]]] == TRICK).all()
    assert not s["trick"][s["trick_n"] :].any()
    assert counts[DISCARDED] == s["discards_n"]
    assert counts[DISCARDED] == 3 or phase == "DISCARD" or s["truncated"]
    if phase == "PLAY":
        led = [(int(s["leader"]) + i) % n for i in range(s["trick_n"])]
        for seat in range(n):
            assert s["hand_n"][seat] == 25 - s["trick_no"] - (seat in led), f"hand of seat {seat}"


def _check_knowledge(s: np.void, n: int) -> None:
    in_hand = s["loc"] < n
    assert not s["exposed"][~in_hand].any(), "public cards are in a hand"
    given = s["giver"] >= 0
    assert in_hand[given].all() and (s["giver"][given] != s["loc"][given]).all()
    suits = {0: range(1, 22), **{suit: range(8 + 14 * suit, 22 + 14 * suit) for suit in range(1, 5)}}
    for seat in range(n):
        for suit, cards in suits.items():
            assert not s["void"][seat][suit] or (s["loc"][cards] != seat).all(), f"seat {seat} holds suit {suit}"
        assert not s["no_tarot"][seat] or (s["loc"][TAROTS] != seat).all(), f"seat {seat} has an honour"


def _check_scores(s: np.void, n: int) -> None:
    assert s["taken"][:n].sum() == s["trick_no"] <= 25
    assert (s["points"] >= 0).all() and (s["points"] <= 400).all()
    net = np.zeros(n, int)
    for gain, seat in zip(s["scored"][: s["hand_no"]], s["scorer"][: s["hand_no"]], strict=True):
        net[seat] += gain
    assert (net == s["totals"][:n]).all(), "totals are not the sum of the hands"
    assert not s["scored"][s["hand_no"] :].any() and not s["scorer"][s["hand_no"] :].any()


def _check_question(s: np.void, phase: str) -> None:
    """What is asked can be asked of the hand that is asked."""
    tarots = int((s["loc"][TAROTS] == s["seat"]).sum())
    assert (s["cls"] >= 0) == (phase == "DECLARE") and (s["replier"] >= 0) == (phase in ("ANSWER", "RETURN"))
    if phase == "CALL":
        assert 2 <= tarots <= 6
    if phase == "ANSWER":
        assert tarots >= 2
