"""A lower bound for the search: the wild cards that the remaining sets need at least."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.compiled.jit import kernel
from .....core.state import Record
from ...material import (
    CONTRACTS,
    DISPLAY_CARDS,
    IDENTICAL,
    KINDS,
    LARGEST_RUN,
    MAX_OF_RANK,
    MAX_SETS,
    NATURALS,
    PLACES,
    RANKS,
    SUITS,
)
from ..tabled import card_at, has_flag, same_shape, size_of
from .kinds import GROUP_CARDS, GROUPS, NEVER, ONES, left_of_rank

RUNS_ALIKE = np.zeros((CONTRACTS + 1, MAX_SETS), np.int64)  # number of runs from this slot on that are of its size
for _display, (_sizes, _runs, _flags) in enumerate(DISPLAY_CARDS, start=1):
    for _slot, _size in enumerate(_runs):
        RUNS_ALIKE[_display, len(_sizes) + _slot] = _runs[_slot:].count(_size)

_every = np.arange(1 << PLACES)
FEWEST = np.array(  # by size of a run and the holes of a suit: the fewest holes of a run
    [[0] * len(_every)]
    + [
        np.min([ONES[(_every >> first) & ((1 << size) - 1)] for first in range(PLACES + 1 - size)], axis=0)
        for size in range(1, LARGEST_RUN + 1)
    ],
    np.int8,
)


@kernel
def bound(s: Record, find: Any, first: int, last: int) -> bool:
    """Fill in `bound[i]`, the wild cards that the kinds and the runs from slot i on need at least.

    Return False if there are too few wild cards; the bounds may then be incomplete. The bound stays valid during the
    search, because the cards left only become fewer.
    """
    find.bound[last] = least_for_kinds(s, find)
    enough = find.bound[last] <= find.wilds
    if first < last and enough:
        note_holes(s, find)
    for slot in range(last - 1, first - 1, -1):
        if enough and (slot == first or not same_shape(s, slot)):  # the first run of its size
            alike = int(RUNS_ALIKE[s.display, slot])
            after = int(find.bound[slot + alike])
            enough = note_runs(s, find, slot, 0, find.wilds - after)
            for i in range(alike):
                find.bound[slot + i] = after + least_for_runs(s, slot + i, int(find.runs_from[slot + i, 0]))
    return bool(enough)


@kernel
def note_runs(s: Record, find: Any, slot: int, lowest: int, spare: int) -> bool:
    """Fill in the places that the runs of one size from a slot on can fill, with templates in order from `lowest`.

    Return False, perhaps with incomplete notes, if `spare` wild cards are too few. Of n runs, some k have at most k/n
    of the holes; this condition is checked for each k.
    """
    alike, size = int(RUNS_ALIKE[s.display, slot]), size_of(s, slot)
    if lowest == 0 and alike * fewest_holes(find, size) > spare:  # k = 1, which rejects most hands
        return False
    for runs in range(1, alike + 1):
        first = slot + alike - runs
        find.runs_from[first, NATURALS] = NEVER
        for template in range(NATURALS - 1, lowest - 1, -1):
            best = _most_with_first(s, find, first, template, size)
            find.runs_at[first, template] = best
            find.runs_from[first, template] = max(best, int(find.runs_from[first, template + 1]))
        if alike * (runs * size - find.runs_from[first, lowest]) > runs * spare:
            return False
    return True


@kernel
def _most_with_first(s: Record, find: Any, slot: int, template: int, size: int) -> int:
    """Return the places that the runs of one size from a slot on can fill, if the first has this template.

    Cards shared by any two runs of a size are also shared by the neighbours between them. So counting neighbouring
    pairs is enough.
    """
    suit, first = template // RANKS, template % RANKS + 1
    if first + size - 1 > PLACES:
        return NEVER
    filled = size - holes_of(find, suit, first, size)
    if RUNS_ALIKE[s.display, slot] == 1:
        return filled
    apart = min(template + size, (suit + 1) * RANKS)  # templates from here on share no card with it
    best = int(find.runs_from[slot + 1, apart])
    for later in range(template, apart):
        if find.runs_from[slot + 1, later] <= best:  # neither this template nor a later one is better
            break
        common = template + size - later
        shared = int(ONES[(find.single[suit] >> (later % RANKS)) & ((1 << common) - 1)])
        best = max(best, find.runs_at[slot + 1, later] - shared)
    return filled + best


@kernel
def least_for_runs(s: Record, slot: int, filled: int) -> int:
    """Return the wild cards that the runs of one size from a slot on need, if this number of their places is filled."""
    return int(RUNS_ALIKE[s.display, slot]) * size_of(s, slot) - filled


@kernel
def fewest_holes(find: Any, size: int) -> int:
    """Return the smallest number of holes of all runs of a size."""
    best = size
    for suit in range(SUITS):
        best = min(best, int(FEWEST[size, find.holes[suit]]))
    return best


@kernel
def note_holes(s: Record, find: Any) -> None:
    """Fill in bits by suit, bit place - 1, for holes and single cards.

    In `holes` a bit means that only a wild card can fill the place; a neighbour's duplicate counts as a card [R-23].
    In `single` a bit means that only one run can use the card.
    """
    pairs = has_flag(s, IDENTICAL)
    for suit in range(SUITS):
        holes, single = 0, 0
        for place in range(1, PLACES + 1):
            held = int(find.left[card_at(suit, place)])
            filled = held > 0
            if pairs and not filled:
                below = place > 1 and find.left[card_at(suit, place - 1)] > 1
                filled = below or (place < PLACES and find.left[card_at(suit, place + 1)] > 1)
            holes |= int(not filled) << (place - 1)
            single |= int(held == 1 and not pairs) << (place - 1)
        find.holes[suit] = holes
        find.single[suit] = single


@kernel
def holes_of(find: Any, suit: int, first: int, size: int) -> int:
    """Return the number of places of a run that only wild cards can fill."""
    return int(ONES[(find.holes[suit] >> (first - 1)) & ((1 << size) - 1)])


@kernel
def least_for_kinds(s: Record, find: Any) -> int:
    """Return the wild cards that the kinds need at least: k kinds use at most the naturals of the k ranks held most."""
    kinds = max(0, int(KINDS[s.display]) - find.first_kind)
    needed, used = int(find.rest), 0
    if kinds == 0 and needed == 0:
        return 0
    if kinds > 0:
        needed += int(GROUP_CARDS[s.display, (GROUPS - 1) << find.first_kind & (GROUPS - 1)])
    for rank in range(RANKS):
        held = left_of_rank(find, rank, 0)
        if rank == find.rank:
            used += min(held, int(find.rest))
        find.ranks[held] += 1
    for held in range(MAX_OF_RANK, 0, -1):
        taken = min(kinds, int(find.ranks[held]))
        used += taken * held
        kinds -= taken
    for held in range(MAX_OF_RANK + 1):
        find.ranks[held] = 0
    return max(0, needed - used)
