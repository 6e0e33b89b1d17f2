"""The record of one Tantra table, and the options.

Hands and counts are by card type. Piles keep their order: the discard pile has its bottom card first, the pick-up pile
its next card last, so that taking a card shortens the list. Entries after the end of a list are zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.compiled.jit import kernel
from ...core.fields import LAST_SEAT, Field, Fields, header, seats_ahead
from ...core.notation import Card, Cards, Counts, Number, read_cards, refuse
from ...core.options import SWITCH, Config, ListOf, Option, Options, words_of
from ...core.state import Record, States, record
from .material import (
    CARD_NAMES,
    CARD_POINTS,
    CONTRACTS,
    DISPLAYS,
    FLAGS,
    GOING_OUT,
    GOING_OUT_ORIGINAL,
    MAX_CARDS,
    MAX_JOKERS,
    MAX_OF_RANK,
    MAX_PACKS,
    MAX_SEATS,
    MAX_SETS,
    MIN_SEATS,
    NATURALS,
    NINETEEN,
    NO_BUYING,
    PLACES,
    RANK_NAMES,
    RANKS,
    SMALL_DECKS,
    SMALL_DISPLAY,
    SUITS,
    TOTAL,
    TYPES,
    WILD,
)


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


class SetType(IntEnum):
    """The type of set in a slot of the table."""

    NONE = 0
    KIND = 1
    RUN = 2


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


class BuyOrder(IntEnum):
    """The order of decisions about the discard (R-47)."""

    REQUESTS_FIRST = 0
    TURN_PLAYER_FIRST = 1


class CutoffScoring(IntEnum):
    """The scoring of a truncated round (R-50)."""

    PENALTY = 0
    VOID = 1


class DisplayOrder(IntEnum):
    """The order of the display pile (R-03)."""

    SHUFFLED = 0
    NUMERIC = 1


class FillMode(IntEnum):
    """The choice of the cards of a lay-down: by the agent, or automatic (D-7)."""

    EXPLICIT = 0
    AUTO = 1


class Reward(IntEnum):
    """The meaning of rewards."""

    ZERO_SUM = 0
    SCORE = 1
    RANK = 2
    WIN = 3


class RewardWhen(IntEnum):
    """The time of rewards."""

    ROUND = 0
    GAME = 1


class Shaping(IntEnum):
    """The additional rewards."""

    NONE = 0
    DEFICIT = 1


KIND_CLASS = np.array([card // RANKS for card in range(NATURALS)] + [KindClass.JOKER, KindClass.WILD], np.int8)
PHASES = tuple(Phase.__members__)
DECK_CARDS = ("all", "mini")
ENDINGS = words_of(Ending)
ENDLESS = 2**30
MAX_DECKS = 4  # most given decks that a table holds
MAX_PLACED = 16  # most cards in the runs of one Display Card

OPTIONS = Options(
    "tantra",
    Option("players", 4, range(2, MAX_SEATS + 1), "seats at the table; two only with a smaller deck (R-01)"),
    Option("n_packs", 0, range(MAX_PACKS + 1), "packs; 0 = 2, 3 or 4 by the number of players (R-02)", stored=np.int8),
    Option("jokers_per_pack", 2, range(MAX_JOKERS + 1), "jokers in each pack (R-02)", stored=np.int8),
    Option("hand_size", 11, range(1, 21), "cards dealt to each seat (R-05)", stored=np.int8),
    Option("max_buys", 3, range(9), "buys of a player in a round (R-40)", stored=np.int8),
    Option("max_buys_19", 4, range(9), "the same on 19 CARDS ALLOWED (R-40)", stored=np.int8),
    Option("n_rounds", 1, range(1, 10001), "rounds of a game; 44 = one full cycle (R-54)", stored=np.int32),
    Option("turn_budget", 0, range(1_000_001), "turns after which the round in progress is the last; 0 = none (R-54)",
           stored=np.int32),
    Option("max_turns_per_player", 40, range(1, 1001), "turns of each player until a round is truncated (R-50)"),
    Option("max_moves", 0, range(ENDLESS), "actions until the whole game is truncated; 0 = no limit (R-50)",
           stored=np.int32),
    Option("cutoff_scoring", "penalty", words_of(CutoffScoring),
           "in a truncated round cards in hand count, or nothing does (R-50)"),
    Option("display_order", "shuffled", words_of(DisplayOrder),
           "Display Cards shuffled, or by number: variation 4 (R-03)"),
    Option("display_start", 1, range(1, DISPLAYS + 1), "the first card by number (R-03)"),
    Option("display_carry", True, SWITCH,
           "by number, a finished table that is dealt anew in place goes on with the next card; a new table and "
           "`reset(seed)` begin with `display_start` (R-03)"),
    Option("display_cards", (), ListOf(range(1, DISPLAYS + 1), tuple(range(DISPLAYS + 1))), "only these (R-03)"),
    Option("wild_ranks", (), ListOf(range(RANKS), tuple(range(RANKS + 1))), "only these, A = 0 (R-03)"),
    Option("dealer", -1, range(-1, MAX_SEATS), "seat of the first dealer, -1 = drawn (R-06)", stored=np.int8),
    Option("buy_opening_card", True, SWITCH, "the card turned up after the deal may be bought (R-41)"),
    Option("buy_order", "requests_first", words_of(BuyOrder), "who speaks first about the discard (R-47)"),
    Option("min_naturals_per_set", 0, range(3), "natural cards each set needs when it is laid down (R-19)",
           stored=np.int8),
    Option("two_aces_in_run", True, SWITCH, "a run may grow to an ace at both ends (R-14)"),
    Option("identical_layoff", True, SWITCH, "identical pairs may be laid off (R-33)"),
    Option("recycle_keeps_top", True, SWITCH, "the last discard stays when the pile is turned over (R-48)"),
    Option("variation", 0, (0, 1, 2, 3), "0 standard, 1 original, 2 canasta points, 3 face points (R-56)"),
    Option("going_out_points", (), ListOf(range(-10000, 10001), (0, 3)),
           "later, at once, Grand Slam; () = by `low_score_wins`; none may cost the player who goes out (R-51)",
           stored=(np.int32, 3)),
    Option("card_points", None, (None, *CARD_POINTS), "points of cards in hand; None = by variation (R-53)",
           stored=np.int8),
    Option("low_score_wins", None, (None, *SWITCH),
           "the lowest total wins: cards in hand add points; None = by variation (R-55)", stored=np.int8),
    Option("reward", "zero_sum", words_of(Reward),
           "kind of reward: own score against the others', own score, place, or winning"),
    Option("reward_when", "round", words_of(RewardWhen), "rewards come after each round or at the end of the game"),
    Option("reward_scale", 100.0, None, "points worth a reward of 1", stored=np.float64),
    Option("shaping", "none", words_of(Shaping), "potential-based extra reward for coming nearer to laying down"),
    Option("shaping_coef", 0.05, None, "what one missing card is worth in it", stored=np.float64),
    Option("fill_mode", "explicit", words_of(FillMode), "cards of a lay-down are chosen one by one, or by the table"),
    Option("auto_forced", True, SWITCH, "templates and places with one choice are played by the table"),
    Option("track_known", True, SWITCH, "observations show known cards of others and a public pick-up pile"),
    Option("aux_deficit", False, (False,), "observations showed how many cards a lay-down still lacks", retired=True),
    Option("deck_cards", "all", DECK_CARDS, "all cards, or a smaller deck for exact play (R-07)"),
)  # fmt: skip

OPT = OPTIONS.record(
    ("turn_limit", np.int32),  # of a round
    ("displays", np.int8, (DISPLAYS,)),  # the display pile, ascending; from display_start if numeric
    ("displays_n", np.int8),
    ("wilds", np.int8, (RANKS,)),  # the wild pile, ascending
    ("wilds_n", np.int8),
    order="turn_budget max_moves n_rounds turn_limit displays displays_n wilds wilds_n card_points low_score_wins "
    "n_packs jokers_per_pack hand_size max_buys max_buys_19 dealer min_naturals_per_set buy_order cutoff_scoring "
    "display_order fill_mode reward reward_when shaping",
)

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

# A question to search/laying.py, then the working fields of the search; it lives as long as one question.
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


@kernel
def reveal(s: Record, observer: int, first: int, known: Record) -> None:
    """Fill in the fields that a seat sees in part, or only in some positions."""
    own_turn, turned_over = observer == s.turn, s.recycles > 0
    known.can_lay = s.can_lay if own_turn else 0
    known.peeked = s.peeked if own_turn or s.peek_public else -1
    known.choices = s.choices if own_turn else 0
    for i in range(MAX_CARDS):
        known.stock[i] = s.stock[i] if turned_over else 0
    displays_seen = DISPLAYS if s.opt.display_order == DisplayOrder.NUMERIC else int(s.displays_seen)
    for i in range(DISPLAYS):
        known.display_pile[i] = s.display_pile[i] if i < displays_seen else 0
    for i in range(RANKS):
        known.wild_pile[i] = s.wild_pile[i] if i < s.wilds_seen else 0
    _reveal_cards_of_others(s, observer, first, known)
    _reveal_sets(s, first, known)
    _reveal_last_round(s, first, known)


@kernel
def _reveal_cards_of_others(s: Record, observer: int, first: int, known: Record) -> None:
    """Fill in the public cards and the observer's rows of `known`, and zeros in the rows of the others."""
    own, seats = seats_ahead(observer, first, int(s.seats)), int(s.seats)
    for row in range(seats if own > 0 else 0):  # with rows counted from the observer, only row 0 is ever written
        for other in range(seats):
            for card in range(TYPES):
                known.known[row, other, card] = 0
    for other in range(seats):
        row = seats_ahead(other, first, seats)
        for card in range(TYPES):  # one loop for both, because it then compiles to vector instructions
            known.public[row, card] = s.public[other, card]
            known.known[own, row, card] = s.known[observer, other, card]


@kernel
def _reveal_sets(s: Record, first: int, known: Record) -> None:
    """Copy the sets on the table; a slot without a set is zero."""
    for seat in range(s.seats):
        at, to = MAX_SETS * seat, MAX_SETS * seats_ahead(seat, first, int(s.seats))
        for slot in range(MAX_SETS):
            lies, copy = s.sets[at + slot], known.sets[to + slot]
            if lies.kind != SetType.NONE or copy.kind != SetType.NONE:
                copy.kind = lies.kind
                copy.rank = lies.rank
                copy.suit = lies.suit
                copy.lo = lies.lo
                copy.hi = lies.hi
                copy.size = lies.size
                for i in range(PLACES):
                    copy.fill[i] = lies.fill[i]


@kernel
def _reveal_last_round(s: Record, first: int, known: Record) -> None:
    """Copy the figures of the last finished round, which everybody saw."""
    then, last, seats = known.last, s.last, int(s.seats)
    then.turns = last.turns
    then.sales = last.sales
    then.refusals = last.refusals
    then.display = last.display
    then.wild = last.wild
    then.out = seats_ahead(int(last.out), first, seats)
    then.ending = last.ending
    for seat in range(seats):
        row = seats_ahead(seat, first, seats)
        then.scores[row] = last.scores[seat]
        then.laid_turn[row] = last.laid_turn[seat]
        then.hand_points[row] = last.hand_points[seat]


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


def resolve(given: Mapping[str, Any]) -> Config:
    """Return the value of every option; raise ValueError for values that the rules refuse. `None` means the default."""
    wanted = {name: value for name, value in given.items() if value is not None}
    if isinstance(wanted.get("wild_ranks"), (list, tuple)):
        names = [rank.upper() if isinstance(rank, str) else rank for rank in wanted["wild_ranks"]]
        wanted["wild_ranks"] = tuple(RANK_NAMES.index(rank) if rank in RANK_NAMES else rank for rank in names)
    config = OPTIONS.resolve(wanted)
    for name in ("display_cards", "wild_ranks"):
        if len(set(config[name])) < len(config[name]):
            raise ValueError(f"tantra: {name}={config[name]!r} is not allowed; allowed: each value at most once")
        config[name] = tuple(sorted(config[name]))
    if config["reward_scale"] <= 0:
        raise ValueError(f"tantra: reward_scale={config['reward_scale']} is not allowed; allowed: more than 0")
    _check_going_out(config)
    _check_start(config)
    _check_cards(config)
    return config


def _check_going_out(config: Config) -> None:
    """Raise ValueError if going out costs points: then the player who goes out could lose by it (R-51, R-55)."""
    low, points = low_wins(config), config["going_out_points"]
    if any(score > 0 if low else score < 0 for score in points):
        side, allowed = ("low", "0 or less") if low else ("high", "0 or more")
        raise ValueError(
            f"tantra: going_out_points={points} is not allowed where {side} totals win; allowed: {allowed}"
        )


def low_wins(config: Config) -> bool:
    """Return whether the lowest total wins (R-55)."""
    low = config["low_score_wins"]
    return bool(config["variation"] == 1 if low is None else low)


def _check_start(config: Config) -> None:
    start, pile = config["display_start"], config["display_cards"]
    if config["display_order"] == "numeric" and pile and start not in pile and start != 1:
        raise ValueError(f"tantra: display_start={start} is not allowed; allowed: {', '.join(map(str, pile))}")


def _check_cards(config: Config) -> None:
    """Raise ValueError if cards are too few, or buys too few for a Display Card in the pile (R-49)."""
    most = 0
    for number in displays(config):
        buys = buys_allowed(config, number)
        most = max(most, buys)
        held, wanted = config["hand_size"] + 1 + 2 * buys, int(TOTAL[number]) + 1
        if wanted > held:
            raise ValueError(
                f"tantra: hand_size={config['hand_size']} is not allowed with Display Card {number}, which "
                f"needs {wanted} cards in turn; allowed: at least {wanted - 1 - 2 * buys} with {buys} buys"
            )
    cards, wanted = deck_size(config), config["players"] * (config["hand_size"] + 2 * most) + 5
    if config["deck_cards"] != "all":
        _check_small_deck(config, cards)
    elif config["players"] < MIN_SEATS:
        raise ValueError(f"tantra: players={config['players']} is not allowed; allowed: {MIN_SEATS}..{MAX_SEATS}")
    elif cards < wanted:
        raise ValueError(
            f"tantra: n_packs={config['n_packs']} is not allowed, because it gives {cards} cards; allowed: "
            f"packs with at least {wanted} cards for {config['players']} players and {most} buys"
        )


def _check_small_deck(config: Config, cards: int) -> None:
    """Raise ValueError unless a smaller deck suffices for the deal, the first discard and two more cards (R-07)."""
    if config["players"] * config["hand_size"] + 3 > cards:
        size, most = config["hand_size"], (cards - 3) // config["players"]
        raise ValueError(f"tantra: hand_size={size} is not allowed with {cards} cards; allowed: at most {most}")
    if config["n_packs"] != MAX_PACKS:
        packs = config["n_packs"]
        raise ValueError(f"tantra: n_packs={packs} is not allowed with a smaller deck; allowed: {MAX_PACKS}")


def displays(config: Config) -> tuple[int, ...]:
    """Return the display pile before it is shuffled (R-03, R-07)."""
    if config["deck_cards"] != "all":
        return (SMALL_DISPLAY,)
    pile = config["display_cards"] or tuple(range(1, DISPLAYS + 1))
    if config["display_order"] == "numeric" and config["display_start"] in pile:
        first = pile.index(config["display_start"])
        pile = pile[first:] + pile[:first]
    return pile


def buys_allowed(config: Config, display: int) -> int:
    """Return the number of buys of each seat in a round under a Display Card (R-40)."""
    if FLAGS[display] & NO_BUYING:
        return 0
    return int(config["max_buys_19"] if FLAGS[display] & NINETEEN else config["max_buys"])


def deck_size(config: Config) -> int:
    """Return the number of cards in all packs (R-02, R-07)."""
    if config["deck_cards"] != "all":
        return int(SMALL_DECKS[DECK_CARDS.index(config["deck_cards"])].sum())
    return packs(config) * (NATURALS + int(config["jokers_per_pack"]))


def packs(config: Config) -> int:
    """Return the number of packs (R-02)."""
    by_players = 2 if config["players"] <= 5 else 3 if config["players"] <= 7 else 4
    return int(config["n_packs"]) or by_players


def going_out_points(config: Config) -> tuple[int, int, int]:
    """Return the points for going out later, at once and with a Grand Slam: good ones on either side (R-51, R-55)."""
    later, at_once, slam = config["going_out_points"] or (GOING_OUT_ORIGINAL if low_wins(config) else GOING_OUT)
    return later, at_once, slam


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
