"""The record of one Tantra table, and the options.

Hands and counts are by card type. Piles keep their order: the discard pile has its bottom card first, the pick-up pile
its next card last, so that taking a card shortens the list. Entries after the end of a list are zero.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ...core.fields import LAST_SEAT, Field, Fields, header
from ...core.notation import Card, Cards, Counts, Number, read_cards, refuse
from ...core.options import Config, words_of
from ...core.state import States, record
from .material import (
    CARD_NAMES,
    CARD_POINTS,
    CONTRACTS,
    DISPLAYS,
    MAX_CARDS,
    MAX_OF_RANK,
    MAX_SEATS,
    MAX_SETS,
    NATURALS,
    PLACES,
    RANK_NAMES,
    RANKS,
    SUITS,
    TYPES,
    WILD,
)
from .options import ENDLESS, OPT, OPTIONS, displays, going_out_points, low_wins, packs
from .options import resolve as resolve  # noqa: PLC0414  `game_of` finds it here
from .reveal import reveal


class Phase(IntEnum):
    """The kind of the next decision; in every phase except ASK the seat in turn decides."""

    ASK = 0  # buy the discard or pass
    DRAW = 1
    REPLY = 2  # allow the sale or take the discard
    PEEK = 3  # keep the peeked card or hand it over
    MAIN = 4  # lay down, lay off or discard
    TEMPLATE = 5  # choose the rank or place of the next set
    PLACE = 6  # choose its next card
    OVER = 7


class Mode(IntEnum):
    """The purpose of TEMPLATE and PLACE."""

    NOT_BUILDING = 0
    LAYING_DOWN = 1
    LAYING_OFF = 2


class Role(IntEnum):
    """The fill of a place in a run (R-23)."""

    EMPTY = 0
    NATURAL = 1
    JOKER = 2
    WILD = 3
    LOWER_MATE = 4  # a duplicate of the card below
    UPPER_MATE = 5


class KindClass(IntEnum):
    """The classes of cards in a kind, in the order in which they are placed (D-6)."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3
    WILD = 4
    JOKER = 5


class Ending(IntEnum):
    """The way a round ended (R-50, R-51)."""

    NOT_ENDED = 0
    LATER = 1
    AT_ONCE = 2
    GRAND_SLAM = 3
    CUT_OFF = 4


KIND_CLASS = np.array([card // RANKS for card in range(NATURALS)] + [KindClass.JOKER, KindClass.WILD], np.int8)
PHASES = tuple(Phase.__members__)
ENDINGS = words_of(Ending)
MAX_DECKS = 4  # most given decks that a table holds
MAX_PLACED = 16  # most cards in the runs of one Display Card

SET = record(
    [
        ("kind", np.int8),  # a SetType
        ("rank", np.int8),  # of a kind
        ("suit", np.int8),  # of a run
        ("lo", np.int8),  # first and last place of a run, so far
        ("hi", np.int8),
        ("size", np.int8),
        ("fill", np.int8, (PLACES,)),  # run: the Role of places 1 .. 14; kind: cards by KindClass
    ]
)

ROUND = record(  # the figures of a finished round
    [
        ("scores", np.int32, (MAX_SEATS,)),
        ("laid_turn", np.int32, (MAX_SEATS,)),
        ("turns", np.int32),
        ("hand_points", np.int16, (MAX_SEATS,)),
        ("sales", np.int16),
        ("refusals", np.int16),  # sales that the seat in turn did not allow
        ("display", np.int8),
        ("wild", np.int8),
        ("out", np.int8),  # the seat that went out, -1 = no seat
        ("ending", np.int8),  # an Ending
    ]
)

LAST = {  # numbers of ROUND, and what they may be
    **{"display": range(CONTRACTS + 1), "wild": range(-1, RANKS), "out": range(-1, MAX_SEATS)},
    **{"ending": range(len(ENDINGS)), "turns": range(ENDLESS), "sales": range(2**15), "refusals": range(2**15)},
}
LAST_BY_SEAT = {
    "scores": range(-ENDLESS, ENDLESS),
    "laid_turn": range(-1, ENDLESS),
    "hand_points": range(-(2**15), 2**15),
}

# A question to sets/search/laying.py, then the working fields of the search; it lives as long as one question.
STEP = record(  # a step of the search: one place of a run
    [
        ("template", np.int8),  # 13 suit + first place - 1 of the run
        ("option", np.int8),  # current choice for the place, -1 = none yet
        ("card", np.int8),  # card taken from `left`, plus 1; 0 = none
        ("free", np.int8),  # 1 = the place before holds a natural without a mate
        ("must", np.int8),  # 1 = this place must hold the mate of the duplicate before it
        ("in_run", np.int8),  # naturals in this run before the step
        ("spent", np.int8),  # wild cards
    ]
)
FIND = record(
    [
        ("holes", np.int16, (SUITS,)),  # by suit, a bit for each place that only a wild card can fill
        ("single", np.int16, (SUITS,)),  # by suit, a bit for each place whose natural card is left once
        ("left", np.int8, (NATURALS,)),  # natural cards not used yet
        ("wilds", np.int8),  # wild cards, including usable jokers
        ("slot", np.int8),  # the runs from this slot on are to be filled
        ("begun", np.int8),  # 1 = the first run is unfinished, with the template of step 0
        ("placed", np.int8),  # places of the unfinished run that are filled
        ("first_kind", np.int8),  # the kinds from this slot on are to be filled
        ("rank", np.int8),  # rank of an unfinished kind before it, -1 = none
        ("rest", np.int8),  # cards that the unfinished kind needs
        ("suit", np.int8),  # the first suit from which it may use naturals
        ("naturals", np.int8),  # naturals that it holds
        ("ranks", np.int8, (MAX_OF_RANK + 1,)),  # by number of cards: ranks with this number left
        ("most", np.int8, (2**MAX_SETS,)),  # by group of kinds: naturals it can use, NEVER = cannot be filled
        ("bound", np.int8, (MAX_SETS + 1,)),  # wild cards that the slots from this one on need at least
        ("beyond", np.int8, (MAX_SETS,)),  # wild cards that all sets need except the runs of this size from here on
        # Most places that the runs of one size from a slot on can fill without wild cards,
        ("runs_at", np.int8, (MAX_SETS, NATURALS + 1)),  # if the first run has this template
        ("runs_from", np.int8, (MAX_SETS, NATURALS + 1)),  # if the first run has this template or a later one
        ("steps", STEP, (MAX_PLACED + 1,)),
    ]
)


def read_list(label: str, value: Any, s: Any) -> list[int]:
    """Return the cards of a list; cards of the wild rank become WILD (R-20)."""
    cards = read_cards(label, value, CARD_NAMES)
    cards = [WILD if card < NATURALS and card % RANKS == s["wild"] else card for card in cards]
    if WILD in cards and s["wild"] < 0:
        raise refuse(label, "WILD", "cards without WILD, because this round has no wild rank")
    return cards


TOTALS, COUNT = (-ENDLESS, ENDLESS - 1), (0, 2**15 - 1)  # bounds of scores, and of sales

FIELDS = Fields(
    "tantra",
    *header(MAX_SEATS),
    Field("opt", OPT, seen_by="all", doc="the options of the game"),
    Field("choices", np.int64, seen_by="rule",
          doc="legal actions in TEMPLATE and PLACE, a bit for each rank, run or card: they follow from the hand, so "
              "only the seat in turn sees them"),
    Field("scores", np.int32, (MAX_SEATS,), by="seat", within=TOTALS, notation=Number(), seen_by="all", stays=True,
          doc="points of all rounds"),
    Field("last", ROUND, notation="last_round", seen_by="rule", reveals="all", stays=True,
          doc="the round that ended last"),
    Field("game_turns", np.int32, within=(0, ENDLESS - 1), notation=Number(), seen_by="all", stays=True,
          doc="turns of all rounds"),
    Field("round", np.int32, limit="n_rounds", notation=Number(), seen_by="all", stays=True,
          doc="rounds finished"),
    Field("turns", np.int32, limit="turn_limit", notation=Number(), seen_by="all",
          doc="turns done in this round"),
    Field("laid_turn", np.int32, (MAX_SEATS,), by="seat", within=(-1, "turn_limit"), notation=Number(), seen_by="all",
          empty=-1, doc="value of `turns` when the seat laid down, -1 = not yet"),
    Field("recycles", np.int16, within=(0, 29999), notation=Number(), seen_by="all",
          doc="times the discard pile was turned over"),
    Field("sales", np.int16, within=COUNT, notation=Number(), seen_by="all", doc="discards sold in this round"),
    Field("refusals", np.int16, within=COUNT, notation=Number(), seen_by="all",
          doc="sales that the seat in turn did not allow in this round"),
    Field("stock_n", np.int16, seen_by="all", doc="cards in the pick-up pile"),
    Field("discard_n", np.int16, seen_by="all", doc="cards in the discard pile"),
    Field("dealer", np.int8, holds="seat", notation=Number(), seen_by="all", stays=True, doc="the dealer"),
    Field("turn", np.int8, holds="seat", notation=Number(), seen_by="all", doc="the seat whose turn it is"),
    Field("display", np.int8, within=(1, CONTRACTS), notation=Number(), seen_by="all", stays=True,
          doc="number of the Display Card, 1 to 44"),
    Field("wild", np.int8, notation=Card(RANK_NAMES, null=True), seen_by="all", empty=-1, stays=True,
          doc="wild rank, -1 = none"),
    Field("displays_seen", np.int8, within=(0, "displays_n"), notation=Number(), seen_by="all", stays=True,
          doc="cards of `display_pile` that were turned up, at most all"),
    Field("display_at", np.int8, within=(0, "displays_n"), notation=Number(), seen_by="all", stays=True,
          doc="index of its next card"),
    Field("wilds_seen", np.int8, within=(0, "wilds_n"), notation=Number(), seen_by="all", stays=True,
          doc="cards of `wild_pile` that were turned up, at most all"),
    Field("wild_at", np.int8, within=(0, "wilds_n"), notation=Number(), seen_by="all", stays=True,
          doc="index of its next card"),
    Field("display_pile", np.int8, (DISPLAYS,), within=(0, CONTRACTS), notation=Number(), seen_by="rule", stays=True,
          doc="the Display Cards in their order; cards not turned up yet are hidden, unless they go by number"),
    Field("wild_pile", np.int8, (RANKS,), within=(0, RANKS), notation=Number(), seen_by="rule", stays=True,
          doc="the wild ranks in their order; cards not turned up yet are hidden"),
    Field("requester", np.int8, holds="seat", within=(-1, LAST_SEAT), notation=Number(null=True, omit=True),
          seen_by="all", empty=-1, doc="seat that wants to buy, -1 = nobody"),
    Field("declined", np.int8, within=(0, 1), notation=Number(), seen_by="all",
          doc="1 = the seat in turn has left the discard to the others (R-47)"),
    Field("peeked", np.int8, notation=Card(CARD_NAMES, null=True, omit=True), zone="cards",
          seen_by="rule", empty=-1,
          doc="card that the seat in turn looks at, and only this seat unless the pile is public; -1 = none (R-44)"),
    Field("peek_public", np.int8, within=(0, 1), notation=Number(), seen_by="all",
          doc="1 = it came from a public pile"),
    Field("can_lay", np.int8, within=(0, 1), seen_by="rule",
          doc="1 = the seat in turn, which alone knows it, can lay down now"),
    Field("mode", np.int8, within=(0, 2), notation="build", seen_by="all",
          doc="0 = nothing is built, 1 = laying down, 2 = laying off"),
    Field("slot", np.int8, within=(0, MAX_SETS - 1), notation="build", seen_by="all",
          doc="the set being built, on the Display Card or at its owner"),
    Field("target", np.int8, holds="seat", notation="build", seen_by="all", doc="seat at which it lies"),
    Field("direction", np.int8, within=(-1, 1), notation="build", seen_by="all",
          doc="of a lay-off: -1 low end, 1 high end, 0 kind"),
    Field("place", np.int8, within=(0, PLACES + 1), notation="build", seen_by="all",
          doc="next place of a run, 1 to 14"),
    Field("rest", np.int8, seen_by="all", doc="cards that the set still needs"),
    Field("must", np.int8, seen_by="all", doc="1 = the next place must hold the mate of the duplicate before it"),
    Field("free", np.int8, seen_by="all", doc="1 = the place before holds a natural card without a mate"),
    Field("naturals", np.int8, seen_by="all", doc="natural cards in the set being laid down"),
    Field("first_class", np.int8, seen_by="all", doc="class of the last card of a kind being laid down (D-6)"),
    Field("hand_n", np.int8, (MAX_SEATS,), by="seat", notation="hands", seen_by="all", doc="cards in hand"),
    Field("buys_used", np.int8, (MAX_SEATS,), by="seat", within=(0, 8), notation=Number(), seen_by="all",
          doc="cards bought in this round"),
    Field("hands", np.int8, (MAX_SEATS, TYPES), by="seat", notation=Counts(CARD_NAMES, read_list),
          zone="counts", seen_by="owner", doc="hand by card type"),
    Field("public", np.int8, (MAX_SEATS, TYPES), by="seat", within=(0, 127), reveals="all", seen_by="rule",
          doc="part of the hand that everybody knows, by type"),
    Field("known", np.int8, (MAX_SEATS, MAX_SEATS, TYPES), within=(0, 127), seen_by="rule",
          doc="part of a hand that another seat knows, by observer, seat and type; the observer sees its own rows"),
    Field("tabled", np.int8, (TYPES,), notation="sets", zone="counts", seen_by="all",
          doc="cards on the table, by type"),
    Field("discarded", np.int8, (TYPES,), notation="discard", seen_by="all", doc="the discard pile, by type"),
    Field("stock", np.int8, (MAX_CARDS,), length="stock_n", notation=Cards(CARD_NAMES, read_list, reverse=True),
          zone="cards", seen_by="rule",
          doc="the pick-up pile, next card last; everybody knows it once it was turned over (R-48)"),
    Field("discard", np.int8, (MAX_CARDS,), length="discard_n", notation=Cards(CARD_NAMES, read_list), zone="cards",
          seen_by="all", doc="the discard pile, bottom first"),
    Field("sets", SET, (MAX_SEATS * MAX_SETS,), by="seat", rows=MAX_SETS, reveals="all", seen_by="rule",
          doc="sets on the table, five to a seat"),
    Field("decks_n", np.int8, seen_by="nobody", stays=True, doc="given decks still to come"),
    Field("decks", np.int8, (MAX_DECKS, MAX_CARDS), seen_by="nobody", stays=True, doc="given decks, next first"),
    reveal=reveal,
    cards=CARD_NAMES,
)  # fmt: skip
STATE, clear, clear_round = FIELDS.dtype, FIELDS.clear, FIELDS.clear_round


def blank(config: Config) -> States:
    """Return one table with these options and nothing dealt, shape (1,)."""
    low, points = low_wins(config), config["card_points"]
    states = FIELDS.blank(
        OPTIONS,
        config,
        n_packs=packs(config),
        turn_limit=config["max_turns_per_player"] * config["players"],
        turn_budget=config["turn_budget"] or ENDLESS,
        max_moves=config["max_moves"] or ENDLESS,
        going_out_points=going_out_points(config),
        card_points=config["variation"] if points is None else CARD_POINTS.index(points),
        low_score_wins=low,
    )
    s = states[0]
    for name, cards in (("displays", displays(config)), ("wilds", config["wild_ranks"] or tuple(range(RANKS)))):
        s["opt"][name][: len(cards)], s["opt"][f"{name}_n"] = cards, len(cards)
    s["display_pile"], s["wild_pile"], s["last"]["out"] = s["opt"]["displays"], s["opt"]["wilds"], -1
    return states
