"""One Tarot table as a record, and the configuration fields.

Every card has one place, `loc`: the hand of a seat, or one of the five places below. Entries past a list's
length are zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from ...core.options import SWITCH, Config, Option, Options, words_of
from ...core.state import States, header, record
from .material import CARDS, MAX_DECKS, MAX_HANDS, MAX_SEATS, SUITS


class Phase(IntEnum):
    """What is to be decided."""

    DISCARD = 0  # which card the dealer lays away
    DECLARE = 1  # whether to show a class
    CALL = 2  # whether to call
    ANSWER = 3  # which Tarot Trump to give up
    RETURN = 4  # which card to give back
    PLAY = 5  # a card to the trick
    OVER = 6


class Place(IntEnum):
    """Where a card is, beside the hands 0..2."""

    THIRD = 3  # the third hand
    TALON = 4
    DISCARDED = 5
    TRICK = 6  # the one on the table
    PLAYED = 7


class HandClass(IntEnum):
    """The classes in their order (T-37); after the runs of trumps come those in each suit."""

    GREATER = 0
    LESSER = 1
    TRUMPS = 2
    TAROTS = 3
    SEQ_TRUMPS = 4


class Episode(IntEnum):
    """What is played (T-72)."""

    GAME = 0
    HAND = 1


class Talon(IntEnum):
    """When the dealer takes the talon: after laying away, or before (T-20)."""

    BLIND = 0
    TAKE_FIRST = 1


class DiscardRule(IntEnum):
    """What may not be laid away (T-21)."""

    NONE = 0
    NO_TAROTS = 1
    NO_TRUMPS_KINGS = 2


class Sequences(IntEnum):
    """How runs are valued (T-36)."""

    PARTITION = 0
    LONGEST = 1
    NESTED = 2


class CallRule(IntEnum):
    """Who can call (T-41)."""

    OPEN_PAIR = 0
    EXACTLY_TWO = 1
    AT_LEAST_TWO = 2


class CallScope(IntEnum):
    """Who is asked (T-43)."""

    ALL = 0
    LEFT = 1


class ReturnRule(IntEnum):
    """What the caller may give in exchange (T-44)."""

    SMALL = 0
    NON_TAROT = 1


class TrickPoints(IntEnum):
    """How a trick is counted (T-61, T-63)."""

    CLASSES = 0
    BEST = 1
    CARDS = 2


class KingCut(IntEnum):
    """Which Kings are cut (T-50)."""

    LED = 0
    ANY = 1


class Reward(IntEnum):
    """What is paid: the end of the game, or the net score of every hand."""

    WIN = 0
    SCORE = 1


PHASES = tuple(Phase.__members__)
CLASSES = (*words_of(HandClass), "seq_W", "seq_C", "seq_S", "seq_P")

OPTIONS = Options(
    "tarot",
    Option("players", 2, (2, 3), "seats at the table (T-03)"),
    Option("target", 100, range(1, 10001), "points that win the game (T-72)"),
    Option("episode", "game", words_of(Episode), "play a whole game or a single hand (T-72)"),
    Option("max_hands", 60, range(1, MAX_HANDS + 1), "hands until the game is cut off (T-73)"),
    Option("max_moves", 0, range(0, 100001), "actions until the cut-off, 0 = `max_hands` alone cuts off (T-73)"),
    Option("dealer", -1, range(-1, MAX_SEATS), "seat of the first dealer, -1 = drawn (T-10)"),
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
    Option("must_trump", False, SWITCH, "who cannot follow must trump (T-54)"),
    Option("reward", "win", words_of(Reward), "pay the end of the game, or the net score of every hand"),
)

OPT = record(
    [
        ("max_moves", np.int32),
        ("target", np.int16),
        # Words by their place among the allowed ones.
        *[(name, np.int8) for name in OPTIONS.fields if name not in ("players", "target", "max_moves")],
    ]
)

STATE = record(
    [
        *header(MAX_SEATS),
        ("opt", OPT),
        ("totals", np.int16, (MAX_SEATS,)),  # net scores of the finished hands
        ("points", np.int16, (MAX_SEATS,)),  # made in this hand (T-51)
        ("scored", np.int16, (MAX_HANDS,)),  # net score of each finished hand, 0 = nobody scored
        ("scorer", np.int8, (MAX_HANDS,)),  # and who made it
        ("dealer", np.int8),
        ("hand_no", np.int8),  # finished hands
        ("trick_no", np.int8),  # finished tricks
        ("leader", np.int8),  # of the trick
        ("trick_n", np.int8),
        ("trick", np.int8, (MAX_SEATS,)),  # cards in order of play
        ("declarer_no", np.int8),  # 0 = the dealer's left, while they reckon
        ("cls", np.int8),  # class under decision, -1 = none
        ("tarots_shown", np.int8),  # 1 = the declarer showed the class of Tarot Trumps (T-42)
        ("replier", np.int8),  # who was called upon, -1 = no call is open
        ("discards_n", np.int8),
        ("winner", np.int8),  # seat, -1 = nobody
        ("hand_n", np.int8, (MAX_SEATS,)),
        ("taken", np.int8, (MAX_SEATS,)),  # tricks taken
        ("no_tarot", np.int8, (MAX_SEATS,)),  # 1 = was asked in a call and had none (T-45)
        ("void", np.int8, (MAX_SEATS, SUITS)),  # 1 = failed to follow this suit (T-56)
        ("loc", np.int8, (CARDS,)),
        ("exposed", np.int8, (CARDS,)),  # 1 = public and still in a hand (T-34)
        ("giver", np.int8, (CARDS,)),  # seat that gave it away face down, -1 = nobody (T-44)
        ("decks_n", np.int8),
        ("decks", np.int8, (MAX_DECKS, CARDS)),  # given beforehand for the hands to come, next first
        ("deck", np.int8, (CARDS,)),  # scratch: zero between actions
        ("room", np.int8, (Place.DISCARDED + 1,)),  # scratch
        ("left", np.int8, (Place.DISCARDED + 1,)),  # scratch
    ]
)


def resolve(given: Mapping[str, Any]) -> Config:
    """Every configuration field; ValueError for what the rules refuse."""
    config = OPTIONS.resolve(given)
    if config["dealer"] >= config["players"]:
        raise ValueError(f"tarot: dealer={config['dealer']} is not allowed; allowed: -1..{config['players'] - 1}")
    return config


def blank(config: Config) -> States:
    """One table under `config` with nothing dealt, shape (1,)."""
    states = np.zeros(1, STATE)
    states["seats"] = config["players"]
    opt = states["opt"]
    for name, field in OPTIONS.fields.items():
        if name in (OPT.names or ()):
            value = config[name]
            opt[name] = field.allowed.index(value) if isinstance(field.allowed, tuple) else value
    return states
