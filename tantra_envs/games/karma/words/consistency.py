"""The one check of Karma tables that come from outside: records that are loaded, and positions."""

from __future__ import annotations

import numpy as np

from ....core.consistency import Tables
from ....core.fields import Array
from ....core.game import Game
from ..material import GIVE, TABLE, TYPES
from ..state import Phase


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless every card is in one place and counted, and the seat to decide has a decision."""
    _check_cards(game, tables)
    _check_seats(game, tables)
    _check_phase(game, tables)


def _check_cards(game: Game, tables: Tables) -> None:
    """Check every zone, and that all of them together hold the whole deck."""
    copies, pile = int(game.blank["opt"]["copies"][0]), tables.counted("pile", TYPES)
    tables.follows("gone", copies - tables.cards(copies) + tables["gone"])
    tables.follows("piled", pile)
    tables.require(pile[:, GIVE] == 0, "pile", "no GIVE: it leaves the game when it is played (K-60)")
    tables.follows("hand_n", tables["hands"].sum(2))
    tables.follows("up_n", tables["up"].sum(2))
    most = int(game.blank["opt"]["table_cards"][0])
    for field in ("up", "down"):
        tables.require(tables[f"{field}_n"] <= most, field, f"at most {most} cards")
    known = (tables["known"] <= tables["hands"]).all(axis=2)
    tables.require(known, "known", "cards of that hand")
    _check_run(tables)


def _check_run(tables: Tables) -> None:
    """Check that the run consists of identical cards on top of the pile (K-40)."""
    pile, length, run = tables["pile"], tables["pile_n"][:, None], tables["run"][:, None]
    at = np.arange(pile.shape[1])
    on_top = (at >= length - run) & (at < length)
    same = (~on_top | (pile == _top(tables)[:, None])).all(axis=1) & (run <= length)[:, 0]
    tables.require(same, "run", "at most the number of identical cards on top of the pile (K-40)")


def _top(tables: Tables) -> Array:
    """Return the card on top of each pile; for an empty pile its first entry, which is zero."""
    return np.asarray(tables["pile"][np.arange(tables.n), np.maximum(tables["pile_n"].astype(int) - 1, 0)])


def _check_seats(game: Game, tables: Tables) -> None:
    """Check the dealer and the seats that are out: all without cards, except one that gives the pile away (K-80)."""
    n = game.players
    places, empty = tables.counted("out", n), _cards(tables)[:, :n] == 0
    acting = np.arange(n) == tables["seat"][:, None]
    waits = acting & (tables["phase"] == Phase.TARGET)[:, None]  # the seat that gives the pile is not out yet (K-80)
    cut_off = acting & (tables["truncated"] == 1)[:, None] & (places == 0)
    right = (places == (empty & ~waits)) | cut_off
    tables.require(right, "out", "the seats without cards, as they went out")
    decided = (tables["over"] == 1) & (tables["truncated"] == 0)
    tables.require((tables["loser"] >= 0) == decided, "loser", "a seat at the end of a game, -1 before or truncated")
    tables.require(~(tables["over"] == 0)[:, None] | (tables["rewards"] == 0), "rewards", "zeros before the end")


def _cards(tables: Tables) -> Array:
    """Return the number of cards of every seat."""
    return tables["hand_n"].astype(int) + tables["up_n"] + tables["down_n"]


def _check_phase(game: Game, tables: Tables) -> None:
    """Check that the seat to decide has a decision, unless the game is over."""
    opt, going, phase = game.blank["opt"][0], tables["over"] == 0, tables["phase"]
    tables.require(~going | (game.players - tables["out_n"] >= 2), "hands", "cards for at least two seats")
    own = _cards(tables)[np.arange(tables.n), tables["seat"]]
    tables.require((own > 0) | ~np.isin(phase, (Phase.PLAY, Phase.FOLLOW)), "seat", "a seat with cards")
    follows = (tables["pile_n"] > 0) & (_top(tables) == TABLE)
    tables.require(follows | (phase != Phase.FOLLOW), "pile", "TABLE on top in FOLLOW")
    targets = phase == Phase.TARGET
    tables.require(~targets | (tables["pile_n"] > 0), "pile", "a pile to give in TARGET")
    tables.require(~targets | (tables["run"] == 0), "run", "0 in TARGET")
    receivers = game.players - 1 - (0 if opt["give_to_out"] else tables["out_n"])
    tables.require(~targets | (receivers >= 2), "phase", "TARGET only with two or more seats to choose from")
    _check_setup(game, tables, going)


def _check_setup(game: Game, tables: Tables, going: Array) -> None:
    """Check which seats still have to choose face-up cards (K-10)."""
    n, setup, left = game.players, tables["phase"] == Phase.SETUP, tables["setup_left"]
    ahead = (np.arange(n) - tables["seat"][:, None]) % n
    to_dealer = (tables["dealer"] - tables["seat"]) % n + 1
    right = np.where(going, left == np.where(setup, to_dealer, 0), left <= n)
    tables.require(right, "setup_left", "in SETUP the seats from cur to the dealer, else 0 (K-10)")
    wanted = int(game.blank["opt"]["table_cards"][0])
    missing = wanted - tables["up_n"][:, :n].astype(int)
    chooses = (missing > 0) & (missing <= tables["hand_n"][:, :n])
    fits = np.where(ahead < left[:, None], chooses, missing == 0) | ~setup[:, None]
    allowed = f"in SETUP {wanted} cards of a seat that has chosen, else fewer and a hand for the rest"
    tables.require(fits, "up", allowed)
    tables.require(~setup[:, None] | ~tables["known"].any(axis=2), "known", "nothing in SETUP")
