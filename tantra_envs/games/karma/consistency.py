"""Checks of Karma records that come from outside."""

from __future__ import annotations

import numpy as np

from ...core.consistency import Array, Tables
from ...core.game import Game
from .material import GIVE, TABLE, TABLE_CARDS, TYPES
from .state import Phase


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless every card is in one place and counted, and the seat to decide has a decision."""
    _check_cards(game, tables)
    _check_seats(game, tables)
    _check_phase(game, tables)


def _check_cards(game: Game, tables: Tables) -> None:
    """Check every zone and the number of cards of each type in all of them together."""
    copies, n = int(game.blank["opt"]["copies"][0]), game.players
    for zone in ("hands", "up", "known", "gone", "piled"):
        tables.within(zone, 0, copies)
    tables.nobody(n, "hands", "hand_n", "known", "up", "up_n", "down", "down_n", "out")
    pile, draw, down = (tables.counted(zone, f"{zone}_n", TYPES) for zone in ("pile", "draw", "down"))
    counts = tables["hands"].sum(1) + tables["up"].sum(1) + tables["gone"] + pile + draw + down
    tables.require(counts == copies, "cards are missing, or there twice")
    tables.require(pile == tables["piled"], "piled does not count the pile")
    tables.require(pile[:, GIVE] == 0, "GIVE lies in the pile (K-60)")
    tables.require(tables["hand_n"] == tables["hands"].sum(2), "hand_n does not count the hands")
    tables.require(tables["up_n"] == tables["up"].sum(2), "up_n does not count the cards face up")
    tables.within("up_n", 0, TABLE_CARDS)
    tables.require(tables["known"] <= tables["hands"], "known cards are not in the hand")
    _check_run(tables)


def _check_run(tables: Tables) -> None:
    """Check that the run consists of identical cards on top of the pile (K-34)."""
    pile, length, run = tables["pile"], tables["pile_n"][:, None], tables["run"][:, None]
    tables.within("run", 0, tables["pile_n"])
    at = np.arange(pile.shape[1])
    on_top = (at >= length - run) & (at < length)
    tables.require(~on_top | (pile == _top(tables)[:, None]), "run counts cards that are not identical")


def _top(tables: Tables) -> Array:
    """Return the card on top of each pile; for an empty pile its first entry, which is zero."""
    found: Array = tables["pile"][np.arange(tables.n), np.maximum(tables["pile_n"].astype(int) - 1, 0)]
    return found


def _check_seats(game: Game, tables: Tables) -> None:
    """Check the dealer and the seats that are out: all without cards, except one that gives the pile away (K-80)."""
    n = game.players
    tables.within("dealer", 0, n - 1)
    tables.within("setup_left", 0, n)
    placed = tables.listed("out", "out_n", 0, n - 1)
    places = tables.tally(tables["out"], placed, n)
    empty = _cards(tables)[:, :n] == 0
    acting = np.arange(n) == tables["seat"][:, None]
    may_wait = acting & ((tables["phase"] == Phase.TARGET) | (tables["truncated"] == 1))[:, None]
    tables.require((places == empty) | (may_wait & (places == 0)), "out does not list the seats without cards")
    tables.within("loser", -1, n - 1)
    decided = (tables["over"] == 1) & (tables["truncated"] == 0)
    tables.require((tables["loser"] >= 0) == decided, "loser and the end of the game disagree")
    tables.require(~(tables["over"] == 0)[:, None] | (tables["rewards"] == 0), "rewards are paid before the end")


def _cards(tables: Tables) -> Array:
    """Return the number of cards of every seat."""
    return tables["hand_n"].astype(int) + tables["up_n"] + tables["down_n"]


def _check_phase(game: Game, tables: Tables) -> None:
    """Check that the seat to decide has a decision, unless the game is over."""
    opt, going, phase = game.blank["opt"][0], tables["over"] == 0, tables["phase"]
    tables.within("plies", 0, int(opt["move_limit"]))
    tables.require(~going | (tables["plies"] < opt["move_limit"]), "it goes on beyond the cut-off")
    tables.require(~going | (game.players - tables["out_n"] >= 2), "it goes on with one player")
    own = _cards(tables)[np.arange(tables.n), tables["seat"]]
    tables.require((own > 0) | ~np.isin(phase, (Phase.PLAY, Phase.FOLLOW)), "the seat to decide has no cards")
    follows = (tables["pile_n"] > 0) & (_top(tables) == TABLE)
    tables.require(follows | (phase != Phase.FOLLOW), "TABLE does not lie on top in FOLLOW")
    receivers = game.players - 1 - (0 if opt["give_to_out"] else tables["out_n"])
    gives = (tables["pile_n"] > 0) & (tables["run"] == 0) & (receivers >= 2)
    tables.require(gives | (phase != Phase.TARGET), "there is no pile to give, or nobody to choose, in TARGET")
    _check_setup(game, tables, going)


def _check_setup(game: Game, tables: Tables, going: Array) -> None:
    """Check which seats still have to choose face-up cards (K-10)."""
    n, phase, left = game.players, tables["phase"], tables["setup_left"]
    ahead = (np.arange(n) - tables["seat"][:, None]) % n
    to_dealer = (tables["dealer"] - tables["seat"]) % n + 1
    tables.require(~going | (left == np.where(phase == Phase.SETUP, to_dealer, 0)), "setup_left is wrong")
    missing = TABLE_CARDS - tables["up_n"][:, :n].astype(int)
    chooses = (missing > 0) & (missing <= tables["hand_n"][:, :n])
    right = np.where(ahead < left[:, None], chooses, missing == 0)
    tables.require((phase != Phase.SETUP)[:, None] | right, "cards face up do not fit in SETUP")
    tables.require((phase != Phase.SETUP) | ~tables["known"].any(axis=(1, 2)), "cards are known in SETUP")
