"""The one check of Tarot tables that come from outside: records that are loaded, and positions."""

from __future__ import annotations

import numpy as np

from ....core.compiled.starting import seldom
from ....core.consistency import Tables
from ....core.fields import tally
from ....core.game import Game
from ....core.state import Record
from ..material import CARDS, IS_TAROT, MOST_POINTS, NO_SUIT, SUIT_OF, SUITS, TALON_SIZE
from ..rules import settle
from ..state import Phase, Place
from ..view import LARGEST_HAND
from .positions import CALLING, DECKS, RECKONING, declarer_of, seat_to_decide


def check(game: Game, tables: Tables) -> None:
    """Raise ValueError unless every card is in one place and counted, and the seat to decide has a decision."""
    _check_places(game, tables)
    _check_knowledge(game, tables)
    _check_scores(game, tables)
    _check_reckoning(game, tables)
    _check_turn(game, tables)
    tables.whole_decks(DECKS.ascending(game.blank[0]))
    for scratch in ("deck", "room", "left"):
        tables.require(tables[scratch] == 0, scratch, "zeros between actions")


def _check_places(game: Game, tables: Tables) -> None:
    n = game.players
    tables.require((tables["loc"] < n) | (tables["loc"] >= Place.THIRD), "loc", "places that the table has")
    counts = tally(tables["loc"], np.ones((tables.n, CARDS), bool), Place.PLAYED + 1)
    tables.require(tables["hand_n"][:, :n] == counts[:, :n], "hand_n", "the number of cards in the hand")
    tables.require(tables["hand_n"] <= LARGEST_HAND, "hand_n", f"at most {LARGEST_HAND} cards")
    tables.follows("discards_n", counts[:, Place.DISCARDED])
    tables.require(counts[:, Place.TALON] <= TALON_SIZE, "talon", f"at most {TALON_SIZE} cards")
    trick, inside = tables["trick"], tables.inside("trick")
    tables.require(tables["trick_n"] < n, "trick", f"at most {n - 1} cards: a full trick is taken at once")
    lies = (np.take_along_axis(tables["loc"], trick.astype(np.int64), 1) == Place.TRICK) | ~inside
    once = (tables.counted("trick", CARDS) <= 1).all(axis=1) & (counts[:, Place.TRICK] == tables["trick_n"])
    tables.require(lies.all(axis=1) & once, "trick", "the cards of the trick, each once")
    plays = np.isin(tables["phase"], (Phase.PLAY, Phase.OVER))
    tables.require((tables["trick_n"] == 0) | plays, "trick", "no cards before PLAY")


def _check_knowledge(game: Game, tables: Tables) -> None:
    """Check public knowledge about hands: shown cards, cards given away, and suits that a seat lacks."""
    n, loc, giver = game.players, tables["loc"], tables["giver"]
    in_hand = loc < n
    tables.require(in_hand | (tables["exposed"] == 0), "exposed", "cards in a hand")
    tables.require((giver < 0) | (in_hand & (giver != loc)), "giver", "cards in the hand of another seat")
    row, holder = np.arange(tables.n)[:, None], np.where(in_hand, loc, 0)
    void = tables["void"][row, holder, np.where(SUIT_OF == NO_SUIT, 0, SUIT_OF) % SUITS] == 1
    wrong = (in_hand & (SUIT_OF != NO_SUIT) & void)[:, None] & (loc[:, None] == np.arange(n)[:, None])
    tables.require(~wrong.any(axis=2), "void", "no suit of which the seat holds a card")
    lacking = tables["no_tarot"][row, holder] == 1
    wrong = (in_hand & (IS_TAROT == 1) & lacking)[:, None] & (loc[:, None] == np.arange(n)[:, None])
    tables.require(~wrong.any(axis=2), "no_tarot", "0 for a seat that holds an honour")


def _check_scores(game: Game, tables: Tables) -> None:
    n, target = game.players, int(game.blank["opt"]["target"][0])
    tables.require(tables["taken"].sum(1) <= tables["trick_no"], "taken", "at most trick_no in all")
    tables.within("totals", 0, target + MOST_POINTS - 1)
    tables.require((tables["scored"] > 0) | (tables["scorer"] == 0), "scorer", "0 for hands that nobody scored")
    for seat in range(n):
        net = np.where(tables["scorer"] == seat, tables["scored"], 0).sum(1, dtype=np.int64)
        tables.require(net <= tables["totals"][:, seat], "scored", "no more for a seat than its total")


def _check_reckoning(game: Game, tables: Tables) -> None:
    phase, reckons = tables["phase"], np.isin(tables["phase"], RECKONING)
    tables.require((tables["cls"] < 0) | (phase == Phase.DECLARE), "cls", "null outside DECLARE")
    tables.require(reckons | (tables["tarots_shown"] == 0), "tarots_shown", "false but while the hands are reckoned")
    tables.require(reckons | (tables["declarer_no"] == 0), "declarer_no", "0 but while the hands are reckoned")
    calls = np.isin(phase, CALLING)
    tables.require((tables["replier"] >= 0) == calls, "replier", "a seat in ANSWER and RETURN, else -1")
    tables.require(tables["replier"] != declarer_of(tables.states), "replier", "a seat other than the asker")
    holds = ((tables["loc"] == tables["replier"][:, None]) & (IS_TAROT == 1)).any(axis=1)
    tables.require((phase != Phase.ANSWER) | holds, "replier", "a seat that holds an honour")
    gives = ((tables["loc"] == declarer_of(tables.states)[:, None]) & (IS_TAROT == 0)).any(axis=1)
    tables.require(~calls | gives, "asker", "a seat that holds a card to give in exchange (T-44)")


def _check_turn(game: Game, tables: Tables) -> None:
    """Check whose turn it is, and that the game can go on from there."""
    n, opt, phase, going = game.players, game.blank["opt"][0], tables["phase"], tables["over"] == 0
    seat = seat_to_decide(tables.states, n)
    tables.require(~going | (tables["seat"] == seat), "seat", "the seat to decide in this phase")
    ended = ~going & (tables["truncated"] == 0)
    tables.require((tables["winner"] < 0) | ended, "winner", "-1 before the end, or when the game was truncated")
    tables.require(~going[:, None] | (tables["totals"] < opt["target"]), "totals", f"less than {opt['target']}")
    missing = TALON_SIZE - tables["discards_n"].astype(int)
    discards = phase == Phase.DISCARD
    tables.require(~discards | (missing > 0), "discards_n", f"less than {TALON_SIZE} cards in DISCARD")
    seats = np.arange(n)
    played = (seats - tables["leader"][:, None]) % n < tables["trick_n"][:, None]
    lays = np.where((discards[:, None]) & (seats == tables["dealer"][:, None]), missing[:, None], 0)
    enough = tables["hand_n"][:, :n] >= np.where(played, 0, 1 + lays)
    tables.require(~going[:, None] | enough, "hand_n", "a card of every seat that has to play, and those to lay away")


@seldom
def settle_all(states: Record) -> None:
    """Take the forced steps at all tables, so that the question asked is the next one that leaves a choice."""
    for i in range(len(states)):
        settle(states[i])
