"""The natural cards that runs can use, computed once for each suit of a hand and cached.

Two runs share cards only if they are of one suit. So the best runs of a hand are the best division of the runs among
the four suits. The result of a suit for every group of runs is searched at its first use and looked up later.
A suit is a number: bit 13 k + r is set if it has more than k cards of rank r.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.compiled.jit import kernel, leaf
from .....core.state import record
from ...material import LARGEST_RUN, MAX_PACKS, MAX_SETS, RANKS, SUITS
from .groups import (
    FIRST,
    FIRST_SIZE,
    GROUP_CARDS,
    GROUPS,
    MAX_GROUPS,
    MOST_CHOICES,
    ONCE,
    PAIRS,
    PART,
    PARTS,
    TWICE,
    WITHOUT_FIRST,
)

KEPT_SUITS = 4093  # a prime
BITS = MAX_PACKS * RANKS  # of a suit
ONES = np.array([bin(bits).count("1") for bits in range(1 << RANKS)], np.int8)
RANK_BITS = (1 << RANKS) - 1
COPIES = sum(1 << RANKS * k for k in range(MAX_PACKS))

KNOWN_SUIT = record([("suit", np.int64), ("fills", np.int8, (MAX_GROUPS,))])  # suit with Display Card; by group
TRIED = record(  # a level of the search in a suit: one run
    [
        ("left", np.int64),  # cards left of the suit
        ("choice", np.int16),  # the choice to try next
        ("filled", np.int8),
        ("group", np.int8),  # the runs still to fill, including this one
    ]
)
CHOICES = record(  # choices of the runs of a size: the cards that they may take from a suit, see ONCE and TWICE
    [("once", np.int64, (MOST_CHOICES,)), ("twice", np.int64, (MOST_CHOICES,)), ("n", np.int16)]
)
RUNS_WORK = record(
    [
        ("suits", KNOWN_SUIT, (KEPT_SUITS,)),
        ("choices", CHOICES, (LARGEST_RUN + 1,)),
        ("tried", TRIED, (MAX_SETS + 1,)),
        ("best", np.int8, (MAX_GROUPS,)),  # by group: natural cards that the suits so far can fill
    ]
)


@kernel
def most_in_runs(work: Any, display: int, suits: Any) -> int:
    """Return the number of places that all runs of the Display Card can fill from the four suits."""
    every = int(GROUPS[display])
    fills = work.suits[_look_up(work, display, int(suits[0]))].fills
    for group in range(every + 1):
        work.best[group] = fills[group]
    for suit in range(1, SUITS - 1):
        if suits[suit] > 0:
            fills = work.suits[_look_up(work, display, int(suits[suit]))].fills
            for group in range(every, 0, -1):
                work.best[group] = best_division(work.best, fills, display, group)
    fills = work.suits[_look_up(work, display, int(suits[SUITS - 1]))].fills
    return best_division(work.best, fills, display, every)


@kernel
def best_division(ours: Any, theirs: Any, display: int, group: int) -> int:
    """Return the largest total when a group is divided into two parts, one filled by each side."""
    best = 0
    for i in range(PARTS[display, group]):
        part = int(PART[display, group, i])
        best = max(best, ours[part] + theirs[group - part])
    return best


@kernel
def _look_up(work: Any, display: int, suit: int) -> int:
    """Return the index of the cache entry of a suit, and fill the entry if it is new."""
    asked = suit | display << BITS
    at = asked % KEPT_SUITS
    known = work.suits[at]
    if known.suit != asked:
        known.suit = asked
        for group in range(1, GROUPS[display] + 1):
            if GROUP_CARDS[display, group] == FIRST_SIZE[display, group]:  # one run
                _find_choices(work.choices[FIRST_SIZE[display, group]], display, suit, int(FIRST_SIZE[display, group]))
            known.fills[group] = _most_of_group(work, display, suit, group, known.fills)
    return at


@kernel
def _find_choices(choices: Any, display: int, suit: int, size: int) -> None:
    """Fill in the choices of the runs of a size in a suit, except those that are part of another choice."""
    choices.n = 0
    at = int(PAIRS[display]) * (LARGEST_RUN + 1) + size
    for template in range(FIRST[at], FIRST[at + 1]):
        once, twice = int(ONCE[template]) & suit, int(TWICE[template])
        if once != 0 and twice & ~(suit >> RANKS) == 0 and not _is_part_of_any(choices, once, twice):
            _drop_parts(choices, once, twice)
            choices.once[choices.n] = once
            choices.twice[choices.n] = twice
            choices.n += 1


@kernel
def _is_part_of_any(choices: Any, once: int, twice: int) -> bool:
    part = False
    for i in range(choices.n):
        part = part or (once & ~choices.once[i] == 0 and twice & ~choices.twice[i] == 0)
    return part


@kernel
def _drop_parts(choices: Any, once: int, twice: int) -> None:
    n = 0
    for i in range(choices.n):
        if choices.once[i] & ~once != 0 or choices.twice[i] & ~twice != 0:
            choices.once[n] = choices.once[i]
            choices.twice[n] = choices.twice[i]
            n += 1
    choices.n = n


@kernel
def _most_of_group(work: Any, display: int, suit: int, group: int, fills: Any) -> int:
    """Return the number of cards of a suit that a group of runs can use; `fills` must hold all smaller groups."""
    least, most = 0, min(_cards_of(suit), int(GROUP_CARDS[display, group]))
    for i in range(PARTS[display, group]):
        part = int(PART[display, group, i])
        if 0 < part < group:
            least = max(least, int(fills[part]))
            most = min(most, fills[part] + fills[group - part])
    first = work.tried[0]
    first.left = suit
    first.group = group
    first.filled = 0
    first.choice = 0
    return _search_suit(work, display, fills, least, most)


@kernel
def _search_suit(work: Any, display: int, fills: Any, best: int, most: int) -> int:
    """Search run by run, runs of one size in the order of their choices; stop when `most` is reached."""
    depth = 0
    while depth >= 0 and best < most:
        now = work.tried[depth]
        choices = work.choices[FIRST_SIZE[display, now.group]]
        if now.choice == choices.n:
            depth -= 1
        else:
            rest = int(WITHOUT_FIRST[display, now.group])
            _take(now, work.tried[depth + 1], choices, rest)
            then = work.tried[depth + 1]
            if then.filled + min(int(fills[rest]), _cards_of(int(then.left))) > best:
                if rest == 0:
                    best = int(then.filled)
                else:
                    depth += 1
                    if FIRST_SIZE[display, rest] == FIRST_SIZE[display, now.group]:
                        then.choice = now.choice - 1
    return best


@kernel
def _take(now: Any, then: Any, choices: Any, rest: int) -> None:
    """Let a run take its next choice, and leave the remaining cards to the other runs."""
    once, twice = int(choices.once[now.choice]), int(choices.twice[now.choice])
    left = without(int(now.left), once)
    then.filled = now.filled + int(ONES[now.left & once]) + int(ONES[left & twice])
    then.left = without(left, twice)
    then.group = rest
    then.choice = 0
    now.choice += 1


@kernel
def _cards_of(suit: int) -> int:
    """Return the number of cards in a suit."""
    cards = 0
    for k in range(MAX_PACKS):
        cards += int(ONES[(suit >> RANKS * k) & RANK_BITS])
    return cards


@leaf
def without(suit: int, ranks: int) -> int:
    """Return the suit with one card fewer of each of these ranks that it has."""
    there = ranks * COPIES
    return (suit & ~there) | ((suit >> RANKS) & there)
