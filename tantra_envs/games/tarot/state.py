"""The state of a Tarot table, and the options.

Every card has one place, `loc`: the hand of a seat, or one of the places below. Entries after the end of a list are
zero.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ...core.compiled.jit import kernel
from ...core.fields import LAST_SEAT, Field, Fields, header, seats_ahead
from ...core.notation import Cards, Choice, Flag, Marks, Number
from ...core.options import SWITCH, Option, Options, words_of
from ...core.state import Record
from .material import (
    CALL_WORTH,
    CARD_NAMES,
    CARDS,
    FOOL_WORTH,
    KING_CUT,
    MAX_DECKS,
    MAX_HANDS,
    MAX_SEATS,
    MOST_POINTS,
    MOST_WORTH,
    SUITS,
    TALON_SIZE,
    TRICKS,
)


class Phase(IntEnum):
    """The kinds of decisions."""

    DISCARD = 0  # which card the dealer lays away
    DECLARE = 1  # whether to show a class
    CALL = 2  # whether to call
    ANSWER = 3  # which honour to give up
    RETURN = 4  # which card to give back
    PLAY = 5  # a card to the trick
    OVER = 6


class Place(IntEnum):
    """The places of cards besides the hands 0..2."""

    THIRD = 3  # the third hand
    TALON = 4
    DISCARDED = 5
    TRICK = 6  # the trick on the table
    PLAYED = 7
    UNKNOWN = 8  # in concealed records only


PLACES = Place.DISCARDED + 1  # hands, third hand, talon, discards


class HandClass(IntEnum):
    """The classes in their order (T-37); after the runs of trumps come those in each suit."""

    GREATER = 0
    LESSER = 1
    TRUMPS = 2
    TAROTS = 3
    SEQ_TRUMPS = 4


class Episode(IntEnum):
    """Play a whole game, or one hand (T-72)."""

    GAME = 0
    HAND = 1


class Talon(IntEnum):
    """Whether the dealer takes the talon after laying cards away, or before (T-20)."""

    BLIND = 0
    TAKE_FIRST = 1


class DiscardRule(IntEnum):
    """Cards that may not be laid away (T-21)."""

    NONE = 0
    NO_TAROTS = 1
    NO_TRUMPS_KINGS = 2


class Sequences(IntEnum):
    """Ways to count runs (T-36)."""

    PARTITION = 0
    LONGEST = 1
    NESTED = 2


class CallRule(IntEnum):
    """Conditions of a call (T-41)."""

    OPEN_PAIR = 0
    EXACTLY_TWO = 1
    AT_LEAST_TWO = 2


class CallScope(IntEnum):
    """Seats that are asked in a call (T-43)."""

    ALL = 0
    LEFT = 1


class ReturnRule(IntEnum):
    """Cards that the caller may give in exchange (T-44)."""

    SMALL = 0
    NON_TAROT = 1


class TrickPoints(IntEnum):
    """Ways to count a trick (T-61, T-63)."""

    CLASSES = 0
    BEST = 1
    CARDS = 2


class KingCut(IntEnum):
    """Kings that can be cut (T-50)."""

    LED = 0
    ANY = 1


class Reward(IntEnum):
    """Reward at the end of the game, or the net score of every hand."""

    WIN = 0
    SCORE = 1


PHASES = tuple(Phase.__members__)
CLASSES = (*words_of(HandClass), "seq_W", "seq_C", "seq_S", "seq_P")

OPTIONS = Options(
    "tarot",
    Option("players", 2, (2, 3), "seats at the table (T-03)"),
    Option("target", 100, range(1, 10001), "points that win the game (T-72)", stored=np.int16),
    Option("episode", "game", words_of(Episode), "play a whole game or a single hand (T-72)"),
    Option("max_hands", 60, range(1, MAX_HANDS + 1), "hands until the game is truncated (T-73)", stored=np.int8),
    Option("max_moves", 0, range(0, 100001), "actions until the game is truncated, 0 = only `max_hands` counts (T-73)",
           stored=np.int32),
    Option("dealer", -1, range(-1, MAX_SEATS), "seat of the first dealer, -1 = drawn (T-10)", stored=np.int8),
    Option("talon", "blind", words_of(Talon), "the dealer lays away before or after taking the talon (T-20)"),
    Option("discard_rule", "none", words_of(DiscardRule), "what may not be laid away (T-21)"),
    Option("auto_declare", False, SWITCH, "every class worth points is shown without asking (T-32)"),
    Option("sequences", "partition", words_of(Sequences), "how runs are valued (T-36)"),
    Option("fool_in_sequences", True, SWITCH, "the Fool may begin a run of trumps (T-35)"),
    Option("fool_in_trump_count", True, SWITCH, "the Fool counts among the trumps held (T-31)"),
    Option("call_rule", "open_pair", words_of(CallRule), "who can call (T-41)"),
    Option("call_scope", "all", words_of(CallScope), "who is asked (T-43)"),
    Option("return_rule", "small", words_of(ReturnRule), "what the caller may give in exchange (T-44)"),
    Option("trick_points", "classes", words_of(TrickPoints), "how a trick is counted (T-61, T-63)"),
    Option("king_cut", "led", words_of(KingCut), "which Kings are cut (T-50)"),
    Option("king_points", KING_CUT, range(MOST_WORTH + 1), "points for a King that is cut (T-50)", stored=np.int8),
    Option("fool_points", FOOL_WORTH, range(MOST_WORTH + 1), "points for playing the Fool (T-62)", stored=np.int8),
    Option("call_points", CALL_WORTH, range(MOST_WORTH + 1), "points for a call that nobody can answer (T-45)",
           stored=np.int8),
    Option("must_trump", False, SWITCH, "who cannot follow must trump (T-54)"),
    Option("reward", "win", words_of(Reward), "reward at the end of the game, or the net score of every hand"),
    Option("deck_cards", "all", ("all", "mini", "tiny"), "all cards, or a smaller deck for exact play (T-13)"),
)  # fmt: skip

OPT = OPTIONS.record()


@kernel
def _reveal_places(s: Record, observer: int, first: int, known: Record) -> None:
    """Fill in the places of cards that the observer knows, and the givers that giver and taker know [T-34, T-44]."""
    seats, discards = int(s.seats), Place.DISCARDED.value if s.dealer == observer else -1
    for card in range(CARDS):  # without branches, so that the loop is vectorised
        place, giver = int(s.loc[card]), int(s.giver[card])
        gave, own = giver == observer, place == observer
        shown = own | (place >= Place.TRICK) | (place == discards) | ((place < seats) & (gave | (s.exposed[card] == 1)))
        known.loc[card] = seats_ahead(place, first, seats) if shown else Place.UNKNOWN
        known.giver[card] = seats_ahead(giver, first, seats) if shown & (own | gave) else -1


FIELDS = Fields(
    "tarot",
    *header(MAX_SEATS, "max_moves"),
    Field("opt", OPT, seen_by="all", doc="the options of the game"),
    Field("totals", np.int16, (MAX_SEATS,), by="seat", notation=Number(), seen_by="all", stays=True,
          doc="net scores of the finished hands"),
    Field("points", np.int16, (MAX_SEATS,), by="seat", within=(0, MOST_POINTS), notation=Number(), seen_by="all",
          doc="points made in this hand (T-51)"),
    Field("scored", np.int16, (MAX_HANDS,), within=(0, MOST_POINTS), length="hand_no", notation="history",
          seen_by="all", stays=True, doc="net score of each finished hand, 0 = nobody scored"),
    Field("scorer", np.int8, (MAX_HANDS,), holds="seat", length="hand_no", notation="history", seen_by="all",
          stays=True, doc="the seat that made it; means nothing where nobody scored"),
    Field("dealer", np.int8, holds="seat", notation=Number(), seen_by="all", stays=True, doc="the dealer"),
    Field("hand_no", np.int8, limit="max_hands", notation=Number(), seen_by="all", stays=True,
          doc="finished hands"),
    Field("trick_no", np.int8, within=(0, TRICKS), notation=Number(), seen_by="all", doc="finished tricks"),
    Field("leader", np.int8, holds="seat", notation=Number(), seen_by="all", doc="the seat that leads to the trick"),
    Field("trick_n", np.int8, notation="trick", seen_by="all", doc="cards in the trick on the table"),
    Field("trick", np.int8, (MAX_SEATS,), length="trick_n", notation=Cards(CARD_NAMES), seen_by="all",
          doc="these cards in order of play"),
    Field("declarer_no", np.int8, within=(0, LAST_SEAT), notation=Number(), seen_by="all",
          doc="while seats reckon: 0 = the dealer's left, 1 = the next, .."),
    Field("cls", np.int8, notation=Choice(CLASSES, null=True, name="class"), seen_by="all", empty=-1,
          doc="class under decision, -1 = none"),
    Field("tarots_shown", np.int8, notation=Flag(), seen_by="all",
          doc="1 = the declarer showed the class of honours (T-42)"),
    Field("replier", np.int8, holds="seat", within=(-1, LAST_SEAT), notation=Number(), seen_by="all", empty=-1,
          doc="the seat called upon, -1 = no call is open"),
    Field("discards_n", np.int8, within=(0, TALON_SIZE), notation="discards", seen_by="all", doc="cards laid away"),
    Field("winner", np.int8, holds="seat", within=(-1, LAST_SEAT), notation=Number(), seen_by="all", empty=-1,
          doc="the winner, -1 = nobody"),
    Field("hand_n", np.int8, (MAX_SEATS,), by="seat", notation="hands", seen_by="all", doc="cards in hand"),
    Field("taken", np.int8, (MAX_SEATS,), by="seat", within=(0, TRICKS), notation=Number(), seen_by="all",
          doc="tricks taken"),
    Field("no_tarot", np.int8, (MAX_SEATS,), by="seat", within=(0, 1), notation=Number(), seen_by="all",
          doc="1 = was asked in a call and had no honour (T-45)"),
    Field("void", np.int8, (MAX_SEATS, SUITS), by="seat", within=(0, 1), notation=Number(), seen_by="all",
          doc="1 = failed to follow this suit (T-56)"),
    Field("loc", np.int8, (CARDS,), within=(0, Place.PLAYED), notation="hands", seen_by="rule",
          doc="place of each card: 0..2 the hand of a seat, 3 third hand, 4 talon, 5 laid away, 6 trick on the table, "
              "7 finished tricks; 8 = the observer does not know"),
    Field("exposed", np.int8, (CARDS,), notation=Marks(CARD_NAMES), seen_by="all",
          doc="1 = public and still in a hand (T-34)"),
    Field("giver", np.int8, (CARDS,), within=(-1, LAST_SEAT), seen_by="rule", empty=-1,
          doc="seat that gave the card away face down, -1 = nobody; giver and taker know it (T-44)"),
    Field("decks_n", np.int8, seen_by="nobody", stays=True, doc="decks given beforehand for the hands to come"),
    Field("decks", np.int8, (MAX_DECKS, CARDS), seen_by="nobody", stays=True, doc="these decks, next first"),
    Field("deck", np.int8, (CARDS,), seen_by="nobody", doc="scratch of dealing and `redeal`; zero between actions"),
    Field("room", np.int8, (PLACES,), seen_by="nobody", doc="scratch of `redeal`; zero between actions"),
    Field("left", np.int8, (PLACES,), seen_by="nobody", doc="scratch of `redeal`; zero between actions"),
    reveal=_reveal_places,
)  # fmt: skip
STATE, clear, clear_round = FIELDS.dtype, FIELDS.clear, FIELDS.clear_round
