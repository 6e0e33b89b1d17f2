"""What the checks for all games need to know about Tantra: what holds at every table, and which tables to play."""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

JOKER, WILD = 52, 53
EASY = [41, 27, 34, 12]  # Display Cards that random players lay down now and then
# Reaches every phase: many jokers among four packs, so that sets come together by chance.
BASE = {
    "players": 3,
    "jokers_per_pack": 4,
    "n_packs": 4,
    "display_cards": [10, 12, 34],
    "max_turns_per_player": 20,
    "n_rounds": 2,
    "auto_forced": False,
}
TABLES = [
    *({"players": n, "max_turns_per_player": 10} for n in (3, 4, 6, 9)),
    {"players": 3, "display_order": "numeric", "display_carry": False, "n_rounds": 44,
     "max_turns_per_player": 3},  # all Display Cards
    {"players": 3, "n_packs": 4, "jokers_per_pack": 4, "display_cards": [4, 9, 25, 30, 39], "n_rounds": 3,
     "max_turns_per_player": 15},  # identical pairs beside jokers
    {"players": 4, "n_packs": 2, "display_cards": EASY, "n_rounds": 4, "max_turns_per_player": 20},
]  # fmt: skip

LAY_OFF = {  # half done, beside a kind and a run
    **{"display": 35, "hands": ["3H 4C", "3D", "3S"], "phase": "PLACE", "laid_turn": [8, 0, -1]},
    "build": {"mode": "lay off", "on": "1.1 low", "placed": ["5H"]},
    "sets": [{"seat": 1, "slot": 1, "run": "H", "start": 5, "cards": "5H 6H 7H 8H"},
             {"seat": 1, "slot": 0, "kind": "K", "cards": "KC KD KH KS"}],
}  # fmt: skip
# Good positions for the tests of wrong ones: games that are played (with a seed), and tables that are set up.
PLAYED = [({**BASE, "max_turns_per_player": 8}, 1), ({"players": 3, "max_moves": 30}, 1)]
SET_UP = [({"players": 3, "auto_forced": False}, LAY_OFF)]


def zero_sum(game: Game) -> bool:
    """Does the configuration promise returns that add up to nothing?"""
    return game.config["reward"] != "score" and game.config["shaping"] == "none"


def goes_on(game: Game, ended: States) -> dict[str, int]:
    """Display Cards by number are carried on to the next game."""
    if game.config["display_order"] == "shuffled" or not game.config["display_carry"]:
        return {}
    pile = game.config["display_cards"] or tuple(range(1, 45))
    return {"display": pile[(pile.index(ended["display"][0]) + 1) % len(pile)]}


def invariants(game: Game, state: States) -> None:
    """Every card in exactly one place, all counts true."""
    s, n = state[0], game.players
    _check_cards(s, n)
    _check_hands(s, n)
    _check_sets(s, n)
    assert (s["mode"] != 0) == (game.phases[s["phase"]] in ("TEMPLATE", "PLACE")), "building in another phase"


def _check_cards(s: np.void, n: int) -> None:
    """Types are counted over all places; tails of lists are zero."""
    lists = np.concatenate([s["stock"][: s["stock_n"]], s["discard"][: s["discard_n"]]])
    counts = s["hands"].sum(0) + s["tabled"] + np.bincount(lists, minlength=54)
    if s["peeked"] >= 0:
        counts[s["peeked"]] += 1
    packs, jokers, wild = int(s["opt"]["n_packs"]), int(s["opt"]["jokers_per_pack"]), int(s["wild"])
    expected = np.full(54, packs)
    expected[JOKER], expected[WILD] = packs * jokers, 0
    if wild >= 0:
        expected[[wild, wild + 13, wild + 26, wild + 39]] = 0
        expected[WILD] = 4 * packs
    assert (counts == expected).all(), f"cards of the types: {counts - expected} too many"
    assert (s["discarded"] == np.bincount(s["discard"][: s["discard_n"]], minlength=54)).all(), "discards miscounted"
    assert not s["stock"][s["stock_n"] :].any() and not s["discard"][s["discard_n"] :].any(), "cards behind the end"


def _check_hands(s: np.void, n: int) -> None:
    assert (s["hand_n"] == s["hands"].sum(1)).all(), "a hand is miscounted"
    assert (s["known"] >= 0).all() and (s["known"] <= s["hands"][None]).all(), "known cards that are not in the hand"
    for name in ("hand_n", "hands", "public", "buys_used", "scores", "laid_turn"):
        assert not s[name][n:].any(), f"{name} of seats that nobody sits on"
    for seat in range(n):
        others = [observer for observer in range(n) if observer != seat]
        assert not s["known"][seat, seat].any(), "a seat that knows its own cards as another's"
        assert (s["known"][others, seat] >= s["public"][seat]).all(), "a public card that somebody does not know"
    owed = int(s["opt"]["hand_size"]) + 2 * s["buys_used"][:n]
    if not s["over"] and s["phase"] in (0, 1, 2):
        apart = s["laid_turn"][:n] < 0
        assert (s["hand_n"][:n][apart] == owed[apart]).all(), "hands are not 11 + 2 buys between turns"


def _check_sets(s: np.void, n: int) -> None:
    """Sizes and tabled counts agree; a run lies from lo to hi."""
    assert s["sets"]["size"].sum() == s["tabled"].sum(), "tabled cards are not in sets"
    for lies in s["sets"]:
        fill = lies["fill"]
        assert fill.any() or lies["size"] == 0, "a set without cards"
        if lies["kind"] == 1:
            assert fill.sum() == lies["size"]
        elif lies["kind"] == 2:
            assert (np.flatnonzero(fill) + 1).tolist() == list(range(lies["lo"], lies["hi"] + 1)), "a run with gaps"
            assert lies["hi"] - lies["lo"] + 1 == lies["size"]
    assert not s["sets"][5 * n :]["kind"].any(), "sets of seats that nobody sits on"
