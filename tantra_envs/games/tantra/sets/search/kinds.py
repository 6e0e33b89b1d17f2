"""The search for kinds: the most naturals that every group of kinds can use, computed rank by rank, never greedily."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.compiled.jit import kernel
from .....core.state import Record
from ...material import CONTRACTS, DISPLAY_CARDS, KINDS, MAX_SETS, NATURALS, RANKS

NEVER = -100  # marks a group of kinds that cannot be filled

# Groups of kinds are numbers: bit k is the kind of slot k.
GROUPS = 1 << MAX_SETS
ONES = np.array([bin(bits).count("1") for bits in range(64)], np.int64)  # also used for the places of a run, at most 6
GROUP_CARDS = np.zeros((CONTRACTS + 1, GROUPS), np.int64)
ALIKE_AFTER = np.zeros((CONTRACTS + 1, MAX_SETS), np.int64)  # later kinds of the size of the kind in this slot
for _display, (_sizes, _runs, _flags) in enumerate(DISPLAY_CARDS, start=1):
    for _group in range(GROUPS):
        GROUP_CARDS[_display, _group] = sum(size for k, size in enumerate(_sizes) if _group >> k & 1)
    for _slot, _size in enumerate(_sizes):
        ALIKE_AFTER[_display, _slot] = sum(1 << k for k in range(_slot + 1, len(_sizes)) if _sizes[k] == _size)


@kernel
def wilds_for_kinds(s: Record, find: Any) -> int:
    """Return the fewest wild cards that fill the remaining kinds from `find.left`; a large number if none do."""
    kinds = max(0, int(KINDS[s.display]) - find.first_kind)
    if kinds == 0 and find.rank < 0:
        return 0
    everything = (1 << kinds) - 1
    for group in range(1, everything + 1):
        find.most[group] = NEVER if s.opt.min_naturals_per_set > 0 else 0
    find.most[0] = 0
    for rank in range(RANKS):
        held = left_of_rank(find, rank, 0)
        if rank == find.rank:
            _use_begun_rank(s, find, everything, held)
        elif held > 0:
            _use_rank(s, find, everything, rank, held)
    return int(find.rest + _cards_in(s, find, everything) - find.most[everything])


@kernel
def _cards_in(s: Record, find: Any, group: int) -> int:
    """Return the number of cards in a group of the remaining kinds."""
    return int(GROUP_CARDS[s.display, group << find.first_kind]) if group > 0 else 0


@kernel
def _use_rank(s: Record, find: Any, everything: int, rank: int, held: int) -> None:
    """Let any kinds use this rank, of which `held` naturals are left."""
    least = int(s.opt.min_naturals_per_set)
    late = 0
    if rank < find.rank:  # D-5
        late = int(ALIKE_AFTER[s.display, find.first_kind - 1]) >> find.first_kind
    for group in range(everything, 0, -1):
        best = int(find.most[group])
        part = group
        while part > 0:
            before = int(find.most[group ^ part])
            if before >= 0 and held >= least * int(ONES[part]) and part & late == 0:
                best = max(best, before + min(held, _cards_in(s, find, part)))
            part = (part - 1) & group
        find.most[group] = best


@kernel
def _use_begun_rank(s: Record, find: Any, everything: int, held: int) -> None:
    """Let the unfinished kind use its rank first, then any other kinds."""
    least = int(s.opt.min_naturals_per_set)
    fitting = left_of_rank(find, int(find.rank), int(find.suit))
    for group in range(everything, -1, -1):
        best = NEVER
        part = group
        while part >= 0:
            before = int(find.most[group ^ part])
            for own in range(min(int(find.rest), fitting) + 1):
                others = held - own
                enough = own + find.naturals >= least and others >= least * int(ONES[part])
                if before >= 0 and enough:
                    best = max(best, before + own + min(others, _cards_in(s, find, part)))
            part = (part - 1) & group if part > 0 else -1
        find.most[group] = best


@kernel
def left_of_rank(find: Any, rank: int, suit: int) -> int:
    """Return the number of naturals of a rank that are left, of the suits from `suit` on."""
    held = 0
    for card in range(suit * RANKS + rank, NATURALS, RANKS):
        held += find.left[card]
    return held
