"""Points of a hand before the play: the nine classes, the cards shown for them, and who can call (T-30 to T-42)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.compiled.jit import kernel
from ...core.state import Record
from .material import CARDS, FIRST_OF_SUIT, IS_TAROT, SUIT_OF, TRUMPS
from .state import CallRule, HandClass

FIRST_GREATER, LAST_GREATER = 17, 21
FIRST_LESSER, LAST_LESSER = 1, 5
THREE, STEP = 3, 5  # three of five give 5 points, each further one 5 more
TEN_TRUMPS, THIRTEEN_TRUMPS = 10, 13
TAROT_SET, TAROT_SET_POINTS = 3, 15
COUNTED_TRUMPS = np.array([SUIT_OF == 0, np.arange(CARDS) < TRUMPS], np.int8)  # by `fool_in_trump_count`
PIECES = ((4, 5), (7, 10), (10, 15))  # cards in sequence and their points (T-36)


def _partition(length: int) -> int:
    """Return the most points for pieces cut from a run, no card used twice."""
    return max([0, *(points + _partition(length - size) for size, points in PIECES if size <= length)])


def _longest(length: int) -> int:
    """Return the points of the largest piece."""
    return max([0, *(points for size, points in PIECES if size <= length)])


def _nested(length: int) -> int:
    """Return the points of every piece in every place where it fits."""
    return sum(points * (length // size) for size, points in PIECES)


# Points of a run by mode and length, and the shortest length with the same points (T-36).
RUN_POINTS = np.array([[mode(n) for n in range(TRUMPS + 1)] for mode in (_partition, _longest, _nested)], np.int16)
RUN_SHOWN = np.array([[row.tolist().index(points) for points in row] for row in RUN_POINTS], np.int8)


@kernel
def class_points(s: Record, seat: int, cls: int) -> int:
    """Return the points of a class for a seat with the cards it holds now [T-30, T-31, T-33]."""
    if cls == HandClass.GREATER:
        return STEP * max(0, held(s, seat, FIRST_GREATER, LAST_GREATER) - THREE + 1)
    if cls == HandClass.LESSER:
        return STEP * max(0, held(s, seat, FIRST_LESSER, LAST_LESSER) - THREE + 1)
    if cls == HandClass.TRUMPS:
        trumps = held(s, seat, 1 - s.opt.fool_in_trump_count, TRUMPS - 1)
        return 15 if trumps >= THIRTEEN_TRUMPS else 10 if trumps >= TEN_TRUMPS else 0
    if cls == HandClass.TAROTS:
        return tarots_held(s, seat) // TAROT_SET * TAROT_SET_POINTS
    return _runs_points(s, seat, cls)


@kernel
def show_class(s: Record, seat: int, cls: int) -> None:
    """Make public what must be shown for a class [T-34]."""
    if cls == HandClass.GREATER:
        _show_held(s, seat, FIRST_GREATER, LAST_GREATER)
    elif cls == HandClass.LESSER:
        _show_held(s, seat, FIRST_LESSER, LAST_LESSER)
    elif cls == HandClass.TRUMPS:
        trumps = held(s, seat, 1 - s.opt.fool_in_trump_count, TRUMPS - 1)
        wanted = THIRTEEN_TRUMPS if trumps >= THIRTEEN_TRUMPS else TEN_TRUMPS
        _show_lowest(s, seat, COUNTED_TRUMPS[s.opt.fool_in_trump_count], wanted)
    elif cls == HandClass.TAROTS:
        _show_lowest(s, seat, IS_TAROT, tarots_held(s, seat) // TAROT_SET * TAROT_SET)
    else:
        _show_runs(s, seat, cls)


@kernel
def can_call(s: Record, seat: int) -> bool:
    """Return whether the seat holds the pair that a call needs [T-41], and a card to give in exchange [T-44]."""
    tarots = tarots_held(s, seat)
    if tarots == s.hand_n[seat]:
        return False
    if s.opt.call_rule == CallRule.EXACTLY_TWO:
        return tarots == 2
    if s.opt.call_rule == CallRule.AT_LEAST_TWO:
        return 2 <= tarots <= 6
    return tarots % TAROT_SET == 2


@kernel
def show_call(s: Record, seat: int) -> None:
    """Make the pair public: with five held and three shown already, the other two [T-42]."""
    open_pair = s.tarots_shown == 1 and tarots_held(s, seat) == TAROT_SET + 2
    _show_lowest(s, seat, IS_TAROT, TAROT_SET + 2 if open_pair else 2)


@kernel
def held(s: Record, seat: int, first: int, last: int) -> int:
    """Return the number of cards `first`..`last` that the seat holds."""
    count = 0
    for card in range(first, last + 1):
        count += s.loc[card] == seat
    return count


@kernel
def tarots_held(s: Record, seat: int) -> int:
    """Return the number of honours that the seat holds."""
    count = 0
    for card in range(CARDS):
        count += s.loc[card] == seat and IS_TAROT[card] == 1
    return count


@kernel
def _show_lowest(s: Record, seat: int, cards: Any, wanted: int) -> None:
    """Make `wanted` of the marked cards of a hand public: public ones count, then the lowest are shown."""
    for card in range(CARDS):
        wanted -= cards[card] == 1 and s.loc[card] == seat and s.exposed[card] == 1
    for card in range(CARDS):
        if wanted > 0 and cards[card] == 1 and s.loc[card] == seat and s.exposed[card] == 0:
            s.exposed[card] = 1
            wanted -= 1


@kernel
def _show_held(s: Record, seat: int, first: int, last: int) -> None:
    for card in range(first, last + 1):
        if s.loc[card] == seat:
            s.exposed[card] = 1


# Runs: unbroken lines of held cards (T-35).


@kernel
def _runs_points(s: Record, seat: int, cls: int) -> int:
    points, length = 0, 0
    for card in range(_first_in_line(s, cls), _end_of_line(cls) + 1):
        if card < _end_of_line(cls) and s.loc[card] == seat:
            length += 1
        else:
            points += int(RUN_POINTS[s.opt.sequences, length])
            length = 0
    return points


@kernel
def _show_runs(s: Record, seat: int, cls: int) -> None:
    """Make public, of each run, the lowest cards that its points need [T-36]."""
    length = 0
    for card in range(_first_in_line(s, cls), _end_of_line(cls) + 1):
        if card < _end_of_line(cls) and s.loc[card] == seat:
            length += 1
        else:
            first = card - length
            for shown in range(first, first + int(RUN_SHOWN[s.opt.sequences, length])):
                s.exposed[shown] = 1
            length = 0


@kernel
def _first_in_line(s: Record, cls: int) -> int:
    suit = cls - HandClass.SEQ_TRUMPS
    return int(FIRST_OF_SUIT[suit]) - (1 if suit == 0 and s.opt.fool_in_sequences == 1 else 0)


@kernel
def _end_of_line(cls: int) -> int:
    """Return one past the last card of an unbroken line."""
    return int(FIRST_OF_SUIT[cls - HandClass.SEQ_TRUMPS + 1])
