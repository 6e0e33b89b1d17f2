"""Tables for counting the cards a hand lacks: groups of sets of a Display Card, and cards a run takes of a suit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ...material import CONTRACTS, DISPLAY_CARDS, IDENTICAL, LARGEST_RUN, PLACES, RANKS

MAX_GROUPS = 16  # groups of the sets of one type on a Display Card; sets of one size are interchangeable

# Groups of the runs of a Display Card, or of its kinds if it has no runs, are numbered. The parts of a group have
# smaller numbers, and the numbers of two complementary parts add up to the number of the group.
GROUPS = np.zeros(CONTRACTS + 1, np.int64)  # the number of the group of all sets
GROUP_CARDS = np.zeros((CONTRACTS + 1, MAX_GROUPS), np.int64)
FIRST_SIZE = np.zeros((CONTRACTS + 1, MAX_GROUPS), np.int64)  # size of the first set of the group
WITHOUT_FIRST = np.zeros((CONTRACTS + 1, MAX_GROUPS), np.int64)  # the group without its first set
PARTS = np.zeros((CONTRACTS + 1, MAX_GROUPS), np.int64)  # parts of a group, with itself and the empty group
PART = np.zeros((CONTRACTS + 1, MAX_GROUPS, MAX_GROUPS), np.int8)


def _number_groups(display: int, sizes: Sequence[int]) -> None:
    different = sorted(set(sizes))
    groups = list(product(*(range(sizes.count(size) + 1) for size in different)))
    for number, group in enumerate(groups):
        parts = [i for i, part in enumerate(groups) if all(a <= b for a, b in zip(part, group, strict=True))]
        PARTS[display, number], PART[display, number, : len(parts)] = len(parts), parts
        GROUP_CARDS[display, number] = sum(size * n for size, n in zip(different, group, strict=True))
        if number:
            first = next(i for i, n in enumerate(group) if n)
            less = tuple(n - (i == first) for i, n in enumerate(group))
            FIRST_SIZE[display, number], WITHOUT_FIRST[display, number] = different[first], groups.index(less)
    GROUPS[display] = len(groups) - 1


for _display, (_kinds, _runs, _flags) in enumerate(DISPLAY_CARDS, start=1):
    _number_groups(_display, _runs or _kinds)


# Templates of runs, as bits: the ranks of which a run uses one card, and those of which it uses a second one as a
# duplicate of a neighbour. The templates of a size begin at FIRST[pairs, size].
def _duplicates(size: int) -> list[list[int]]:
    """Return every way to pair cards of a run, as the number of cards used of each of its places."""
    ways = []
    for mates in product((0, -1, 1), repeat=size - 2):  # for each inner place: no mate, or the offset of the mate
        mated = [i + 1 + away for i, away in enumerate(mates) if away]
        used = [1, *(int(away == 0) for away in mates), 1]
        if len(set(mated)) == len(mated) and all(used[i] for i in mated):
            ways.append([n + mated.count(i) for i, n in enumerate(used)])
    return ways


def _templates(size: int, pairs: int) -> list[tuple[int, int]]:
    ways = _duplicates(size) if pairs else [[1] * size]
    found: dict[tuple[int, int], None] = {}
    for first in range(PLACES + 1 - size):
        for way in ways:
            masks = [sum(1 << (first + i) % RANKS for i, n in enumerate(way) if n >= least) for least in (1, 2)]
            found[masks[0], masks[1]] = None
    return list(found)


_every = [(_templates(size, pairs) if size > 1 else []) for pairs in range(2) for size in range(LARGEST_RUN + 1)]
FIRST = np.concatenate([[0], np.cumsum([len(some) for some in _every])])
ONCE, TWICE = np.array([template for some in _every for template in some], np.int64).T.copy()
MOST_CHOICES = int(np.diff(FIRST).max())
PAIRS = np.array([0, *(flags & IDENTICAL > 0 for _, _, flags in DISPLAY_CARDS)], np.int64)
