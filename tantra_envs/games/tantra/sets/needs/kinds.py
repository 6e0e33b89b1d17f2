"""The natural cards that kinds can use, alone or together with runs.

Alone, kinds take cards of the ranks held most. Together with runs, kinds are filled one after another by a search. It
tries every rank, those held most first, and every choice of its cards, while the total can still exceed the best one.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from .....core.compiled.jit import kernel, leaf
from .....core.state import record
from ...material import KINDS, MAX_PACKS, RANKS, SIZES, SUITS
from .groups import GROUP_CARDS, GROUPS, MAX_GROUPS, PAIRS, PART, PARTS
from .runs import RUNS_WORK, most_in_runs, without

MAX_KINDS = 3  # on a Display Card with runs
LARGEST_KIND = 6

TAKEN = record(  # a level of the search: the hand before a kind takes its cards
    [
        ("suits", np.int64, (SUITS,)),
        ("held", np.int64),  # cards of the rank by suit, in the encoding of WAY
        ("way", np.int16),  # index in WAY of the next choice of cards
        ("end", np.int16),
        ("place", np.int8),  # index of the rank in `ranks`
        ("used", np.int8),  # natural cards used by the kinds before
        ("runs", np.int8),  # natural cards that all runs can use
    ]
)
SETS_WORK = record(
    [
        ("runs", RUNS_WORK),
        ("taken", TAKEN, (MAX_KINDS + 1,)),
        ("held", np.int8, (RANKS,)),
        ("ranks", np.int8, (RANKS,)),  # the ranks in the hand, those held most first
        ("ranks_n", np.int8),
        ("most", np.int8, (MAX_GROUPS,)),  # by group of kinds: natural cards that the ranks so far can fill
    ]
)

# Ways to take cards of a rank: four bits for the number of cards of each suit; sorted by their sum, largest first.
_ways = [way for way in product(range(MAX_PACKS + 1), repeat=SUITS) if 0 < sum(way) <= LARGEST_KIND]
_ways.sort(key=lambda way: -sum(way))
WAY = np.array([sum(n << 4 * suit for suit, n in enumerate(way)) for way in _ways], np.int64)
FIRST_WAY = np.array([sum(sum(way) > n for way in _ways) for n in range(LARGEST_KIND + 1)], np.int64)
ABOVE = sum(8 << 4 * suit for suit in range(SUITS))  # a bit above each number


@kernel
def sort_ranks(work: Any, suits: Any) -> None:
    """Fill in the ranks of a hand, those held most first."""
    most = 0
    for rank in range(RANKS):
        held = 0
        for suit in range(SUITS):
            held += copies(int(suits[suit]), rank)
        work.held[rank] = held
        most = max(most, held)
    work.ranks_n = 0
    for held in range(most, 0, -1):
        for rank in range(RANKS):
            if work.held[rank] == held:
                work.ranks[work.ranks_n] = rank
                work.ranks_n += 1


@leaf
def copies(suit: int, rank: int) -> int:
    """Return the number of cards of a rank in a suit."""
    return ((suit >> rank) & 1) + ((suit >> rank + 13) & 1) + ((suit >> rank + 26) & 1) + ((suit >> rank + 39) & 1)


@kernel
def most_in_kinds(work: Any, display: int) -> int:
    """Return the natural cards that the kinds of a card without runs can use: the ranks held most are sufficient."""
    every = int(GROUPS[display])
    for group in range(every + 1):
        work.most[group] = 0
    for place in range(min(int(work.ranks_n), int(KINDS[display]))):
        held = int(work.held[work.ranks[place]])
        for group in range(every, 0, -1):
            best = 0
            for i in range(PARTS[display, group]):
                part = int(PART[display, group, i])
                best = max(best, work.most[group - part] + min(held, int(GROUP_CARDS[display, part])))
            work.most[group] = best
    return int(work.most[every])


@kernel
def most_in_both(work: Any, display: int, suits: Any) -> int:
    """Return the number of natural cards that kinds of one size and all runs can use together."""
    kinds, first = int(KINDS[display]), work.taken[0]
    for suit in range(SUITS):
        first.suits[suit] = suits[suit]
    first.used = 0
    first.runs = most_in_runs(work.runs, display, first.suits)
    _look_at(work, display, first, 0)
    best, depth = int(first.runs), 0
    while depth >= 0:
        if _take(work, display, depth, best):
            then = work.taken[depth + 1]
            best = max(best, then.used + then.runs)
            if depth + 1 < kinds:
                depth += 1
                _look_at(work, display, then, int(work.taken[depth - 1].place))
        else:
            depth -= 1
    return best


@kernel
def _look_at(work: Any, display: int, now: Any, place: int) -> None:
    """Begin with the ways to take a rank; without duplicates in runs, a kind takes as many cards as possible."""
    now.place = place
    now.way = 0
    now.end = 0
    if place < work.ranks_n:
        now.held = 0
        held = 0
        for suit in range(SUITS):
            n = copies(int(now.suits[suit]), int(work.ranks[place]))
            now.held |= n << 4 * suit
            held += n
        most = min(held, int(SIZES[display, 0]))
        now.way = FIRST_WAY[most]
        now.end = FIRST_WAY[0 if PAIRS[display] or most == 0 else most - 1]


@kernel
def _take(work: Any, display: int, depth: int, best: int) -> bool:
    """Let a kind take cards in the next way that can lead to a total above `best`; return False without one."""
    now, then, size = work.taken[depth], work.taken[depth + 1], int(SIZES[display, 0])
    kinds = int(KINDS[display]) - depth
    while now.place < work.ranks_n:
        rank = int(work.ranks[now.place])
        if now.used + now.runs + kinds * min(size, int(work.held[rank])) <= best:
            return False
        while now.way < now.end:
            now.way += 1
            if _take_cards(now, then, rank, int(WAY[now.way - 1])):
                then.runs = most_in_runs(work.runs, display, then.suits)
                return True
        _look_at(work, display, now, now.place + 1)
    return False


@kernel
def _take_cards(now: Any, then: Any, rank: int, way: int) -> bool:
    """Take cards of a rank in this way; return False if a suit has too few of them."""
    if (now.held | ABOVE) - way & ABOVE != ABOVE:
        return False
    then.used = now.used
    for suit in range(SUITS):
        left, n = int(now.suits[suit]), (way >> 4 * suit) & 15
        for _ in range(n):
            left = without(left, 1 << rank)
        then.suits[suit] = left
        then.used += n
    return True
