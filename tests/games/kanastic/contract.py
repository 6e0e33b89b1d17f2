"""What the checks for all games need to know about Kanastic: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.kanastic.material import COPIES, KINDS

GOLD, SWORD, ARTIFACT, POT = 4, 55, 56, 58
BASE = {"episode": "round"}  # reaches every phase
TABLES = [
    {"episode": "round"},
    {"players": 3, "episode": "round"},
    {"players": 2, "episode": "round", "suit_rule": "any"},
    {"players": 4, "episode": "round", "suit_rule": "any"},
    {"players": 3, "episode": "round", "suit_rule": "any", "start_scores": (0, 2000, 6000)},
    {"players": 2, "episode": "round", "dense": True, "auto_draw": True},
    {"target_score": 1000, "max_rounds": 3, "dense": True},
]

TURN_WITH_THE_STACK = {
    "hands": ["KH QD 4C", "AH"],
    "known": ["KH"],
    "pile": "4H 5H",
    "stock": "3*7H AR",
    "tables": [{"ranks": {"8": "8H 8D 8C SW"}, "suit": ["6", "6G 7G AR 9G"]}],
    "taken": 2,
    "top_taken": "8C",
    "pick": "8",
}
# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({"episode": "round", "dense": True}, 3)]
SET_UP = [({"episode": "round", "dense": True}, TURN_WITH_THE_STACK)]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.config["reward"] != "score"


def invariants(game: Game, state: States) -> None:
    """Every card in exactly one place, and all counts true."""
    s, n = state[0], game.players
    rule, teams = ("three_suits", "any").index(game.config["suit_rule"]), int(s["opt"]["teams"])
    counts = np.bincount(s["stock"][: s["stock_n"]], minlength=KINDS)
    counts += np.bincount(s["pile"][: s["pile_n"]], minlength=KINDS)
    counts[:POT] += s["hand"].sum(0)
    counts[:SWORD] += s["nat"].sum(0)
    counts[SWORD] += s["sw"].sum()
    counts[ARTIFACT] += s["ar"].sum()
    counts[POT] += s["pots"].sum()
    for team in range(teams):
        _count_suit(s, team, counts)
    assert (counts == COPIES[rule]).all(), f"cards of the kinds: {counts - COPIES[rule]}"
    _check_formations(s, teams)
    assert (s["hand_n"] == s["hand"].sum(1)).all() and (s["hand"] >= 0).all(), "a hand is miscounted"
    assert (s["known"] >= 0).all() and (s["known"] <= s["hand"]).all(), "known cards that are not in the hand"
    assert not s["stock"][s["stock_n"] :].any() and not s["pile"][s["pile_n"] :].any(), "cards behind the end of a list"
    assert not s["hand_n"][n:].any() and not s["pots"][teams:].any(), "cards of nobody"
    _check_turn(game, s)


def _count_suit(s: np.void, team: int, counts: np.ndarray) -> None:
    lo, hi, artifacts = int(s["suit_lo"][team]), int(s["suit_hi"][team]), int(s["suit_art"][team])
    if lo < 0:
        assert hi == -1 and artifacts == 0
        return
    for r in range(lo, hi + 1):
        counts[ARTIFACT if artifacts >> r & 1 else 5 * r + GOLD] += 1
    assert artifacts.bit_count() <= 3 <= hi - lo + 1 - artifacts.bit_count(), "a suit of too few golds"
    assert artifacts & ~((1 << hi + 1) - (1 << lo)) == 0, "an Artifact outside of the suit"


def _check_formations(s: np.void, teams: int) -> None:
    assert (s["n"] == s["nat"].reshape(-1, 11, 5).sum(2)).all() and (s["w"] == s["sw"] + s["ar"]).all()
    size = s["n"] + s["w"]
    assert ((size == 0) | (s["n"] >= 3)).all() and (size <= 8).all() and (s["w"] <= 3).all(), "a formation cannot be"
    for team in range(teams):
        laid = bool(size[team].any() or s["suit_lo"][team] >= 0)
        assert laid or not s["opened"][team]
        assert (s["opener"][team] >= 0) == bool(s["opened"][team]) >= bool(s["unlocked"][team])


def _check_turn(game: Game, s: np.void) -> None:
    phase, teams, n = game.phases[s["phase"]], int(s["opt"]["teams"]), game.players
    if phase == "DRAW":
        unopened = [seat for seat in range(n) if not s["opened"][seat % teams]]
        assert all(s["hand_n"][seat] == 14 for seat in unopened), "an unopened hand has not fourteen cards"
        assert s["pile_n"] >= 1 and s["turn"] >= 1, "no stack at the start of a turn"
        if not s["reshuffles"]:
            stops = [i for i, kind in enumerate(s["pile"][: s["pile_n"]][::-1]) if SWORD <= kind < POT]
            if s["pile_n"] >= n - 1:
                assert s["block_left"] == max([0, *(n - 1 - i for i in stops)]) or s["turn"] >= s["pile_n"]
    assert (s["asker"] >= 0) == (phase == "ANSWER")
    if s["over"]:
        assert s["winner"].any()
