"""Checks of Tarot records that come from outside."""

from __future__ import annotations

import numpy as np

from ...core.compiled.jit import entry_point
from ...core.consistency import Array, Tables, bytes_of
from ...core.game import Game
from ...core.state import Record
from .material import CARDS, IS_TAROT, MAX_DECKS, NO_SUIT, SUIT_OF, SUITS, TALON_SIZE, TRICKS
from .rules import settle
from .state import CLASSES, Phase, Place
from .view import LARGEST_HAND, MOST_POINTS

CALLING = (Phase.ANSWER, Phase.RETURN)
RECKONING = (Phase.DECLARE, Phase.CALL, *CALLING)


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless every card is in one place and counted, and the seat to decide has a decision."""
    _check_places(game, tables)
    _check_knowledge(game, tables)
    _check_scores(game, tables)
    _check_reckoning(game, tables)
    _check_turn(game, tables)
    _check_decks(tables)
    _check_settled(tables)


def _check_places(game: Game, tables: Tables) -> None:
    n = game.players
    tables.within("loc", 0, Place.PLAYED)
    tables.require((tables["loc"] < n) | (tables["loc"] >= Place.THIRD), "a card is in the hand of nobody")
    counts = tables.tally(tables["loc"], np.ones((tables.n, CARDS), bool), Place.PLAYED + 1)
    tables.nobody(n, "hand_n", "taken", "no_tarot", "void", "points", "totals", "trick")
    tables.require(tables["hand_n"][:, :n] == counts[:, :n], "hand_n does not count the hands")
    tables.within("hand_n", 0, LARGEST_HAND)
    tables.require(tables["discards_n"] == counts[:, Place.DISCARDED], "discards_n does not count the discards")
    tables.require(counts[:, [Place.DISCARDED, Place.TALON]] <= TALON_SIZE, "the talon or the discards are too many")
    inside = tables.listed("trick", "trick_n", 0, CARDS - 1)
    tables.within("trick_n", 0, n - 1)
    lies = np.take_along_axis(tables["loc"], tables["trick"].astype(np.int64), 1)
    tables.require(~inside | (lies == Place.TRICK), "the trick has cards that lie elsewhere")
    once = tables.tally(tables["trick"], inside, CARDS) <= 1
    tables.require(once & (counts[:, Place.TRICK] == tables["trick_n"])[:, None], "trick_n does not count the trick")
    tables.require((tables["trick_n"] == 0) | np.isin(tables["phase"], (Phase.PLAY, Phase.OVER)), "a trick too early")


def _check_knowledge(game: Game, tables: Tables) -> None:
    """Check public knowledge about hands: shown cards, cards given away, and suits that a seat lacks."""
    n, loc, giver = game.players, tables["loc"], tables["giver"]
    in_hand = loc < n
    tables.flags("exposed", "void", "no_tarot")
    tables.require(in_hand | (tables["exposed"] == 0), "exposed cards are not in a hand")
    tables.within("giver", -1, n - 1)
    tables.require((giver < 0) | (in_hand & (giver != loc)), "given cards are not in the hand of another")
    row, holder = np.arange(tables.n)[:, None], np.where(in_hand, loc, 0)
    void = tables["void"][row, holder, np.where(SUIT_OF == NO_SUIT, 0, SUIT_OF) % SUITS] == 1
    tables.require(~(in_hand & (SUIT_OF != NO_SUIT) & void), "a seat holds a suit that it has not")
    lacking = tables["no_tarot"][row, holder] == 1
    tables.require(~(in_hand & (IS_TAROT == 1) & lacking), "a seat holds a Tarot Trump though it has none")


def _check_scores(game: Game, tables: Tables) -> None:
    n, opt = game.players, game.blank["opt"][0]
    tables.within("trick_no", 0, TRICKS)
    tables.within("taken", 0, TRICKS)
    tables.require(tables["taken"].sum(1) <= tables["trick_no"], "more tricks are taken than were played")
    tables.within("points", 0, MOST_POINTS)
    tables.within("totals", 0, int(opt["target"]) + MOST_POINTS - 1)
    tables.within("hand_no", 0, int(opt["max_hands"]))
    played = np.arange(tables["scored"].shape[1]) < tables["hand_no"][:, None]
    tables.within("scored", 0, MOST_POINTS)
    tables.within("scorer", 0, n - 1)
    for field in ("scored", "scorer"):
        tables.require(played | (tables[field] == 0), f"{field} of hands to come")
    tables.require((tables["scored"] > 0) | (tables["scorer"] == 0), "a scorer of nothing")
    for seat in range(n):
        net = np.where(tables["scorer"] == seat, tables["scored"], 0).sum(1, dtype=np.int64)
        tables.require(net <= tables["totals"][:, seat], "finished hands scored more than the total")


def _check_reckoning(game: Game, tables: Tables) -> None:
    n, phase = game.players, tables["phase"]
    tables.within("declarer_no", 0, n - 1)
    tables.within("cls", -1, len(CLASSES) - 1)
    tables.require((tables["cls"] >= 0) == (phase == Phase.DECLARE), "cls and phase disagree")
    tables.flags("tarots_shown")
    aside = ~np.isin(phase, RECKONING)
    tables.require(~aside | (tables["tarots_shown"] == 0), "tarots_shown though nobody reckons")
    tables.require(~aside | (tables["declarer_no"] == 0), "declarer_no though nobody reckons")
    tables.within("replier", -1, n - 1)
    tables.require((tables["replier"] >= 0) == np.isin(phase, CALLING), "replier and phase disagree")
    tables.require(tables["replier"] != _declarer(game, tables), "a seat that calls upon itself")


def _declarer(game: Game, tables: Tables) -> Array:
    found: Array = (tables["dealer"].astype(int) + 1 + tables["declarer_no"]) % game.players
    return found


def _check_turn(game: Game, tables: Tables) -> None:
    """Check whose turn it is, and that the game can go on from there."""
    n, opt, phase, going = game.players, game.blank["opt"][0], tables["phase"], tables["over"] == 0
    tables.within("dealer", 0, n - 1)
    tables.within("leader", 0, n - 1)
    seat = np.where(np.isin(phase, RECKONING), _declarer(game, tables), (tables["leader"] + tables["trick_n"]) % n)
    seat = np.where(phase == Phase.DISCARD, tables["dealer"], seat)
    seat = np.where(phase == Phase.ANSWER, tables["replier"], seat)
    tables.require(~going | (tables["seat"] == seat), "another seat is to decide")
    tables.within("winner", -1, n - 1)
    tables.require((tables["winner"] < 0) | (~going & (tables["truncated"] == 0)), "a winner before the end")
    tables.require(~going | (tables["totals"].max(axis=1) < opt["target"]), "it goes on beyond the target")
    tables.require(~going | (tables["hand_no"] < opt["max_hands"]), "it goes on beyond max_hands")
    if opt["max_moves"]:
        tables.require(~going | (tables["plies"] < opt["max_moves"]), "it goes on beyond the cut-off")
    discards = phase == Phase.DISCARD
    missing = TALON_SIZE - tables["discards_n"].astype(int)
    tables.require(~discards | (missing > 0), "everything is laid away in DISCARD")
    seats = np.arange(n)
    played = (seats - tables["leader"][:, None]) % n < tables["trick_n"][:, None]
    lays = np.where((discards[:, None]) & (seats == tables["dealer"][:, None]), missing[:, None], 0)
    enough = tables["hand_n"][:, :n] >= np.where(played, 0, 1 + lays)
    tables.require(~going[:, None] | enough, "a seat has too few cards to go on")
    holds = ((tables["loc"] == tables["replier"][:, None]) & (IS_TAROT == 1)).any(axis=1)
    tables.require((phase != Phase.ANSWER) | holds, "a seat without Tarot Trumps answers")


def _check_decks(tables: Tables) -> None:
    """Check the decks for later hands, and that the scratch fields are zero."""
    tables.within("decks_n", 0, MAX_DECKS)
    whole = np.sort(tables["decks"], axis=2) == np.arange(CARDS)
    given = (np.arange(MAX_DECKS) < tables["decks_n"][:, None])[:, :, None]
    tables.require(np.where(given, whole, tables["decks"] == 0), "decks have cards missing, or too many")
    for scratch in ("deck", "room", "left"):
        tables.require(tables[scratch] == 0, f"the scratch {scratch} is left behind")


def _check_settled(tables: Tables) -> None:
    """Check that the question asked before the play is the next one that leaves a choice."""
    settled = tables.states.repeat(1)
    _settle_all(settled)
    tables.require(bytes_of(settled) == bytes_of(tables.states), "the question asked cannot be the next one")


@entry_point
def _settle_all(states: Record) -> None:
    for i in range(len(states)):
        settle(states[i])
