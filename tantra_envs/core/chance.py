"""Random numbers for the decisions of an agent at many tables, each table with its own stream.

An environment with many tables has a random stream for each. The numbers of a decision follow from that stream and from
the number of actions before it. They depend neither on the other tables nor on how often they are drawn. The streams
are read and never advanced.

The generator is SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014), started from
a key for each table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.jit import entry_point

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio, odd: the increment of SplitMix64
MOMENT = np.uint64(0xD1342543DE82EF95)  # odd and far from every small multiple of GAMMA (Steele and Vigna, 2021)
BEFORE_THE_FIRST = -1  # the moment of numbers that are drawn before the first action


class TableChance:
    """The random numbers of one decision at each of k tables.

    Args:
        streams: The random stream of each table, shape (k, 4), int64.
        moments: The number of actions at each table so far, shape (k,), int64.
    """

    def __init__(self, streams: npt.NDArray[np.int64], moments: Ints) -> None:
        words = streams[:, :2].astype(np.uint64)
        self._keys = (words[:, 0] | words[:, 1] << np.uint64(32)) + moments.astype(np.uint64) * MOMENT

    def __len__(self) -> int:
        return len(self._keys)

    def generator(self, table: int) -> np.random.Generator:
        """Return a NumPy generator for one of the tables."""
        return np.random.default_rng(self.seeds(np.array([table]), 1))

    def words(self, tables: Ints, counts: Ints | int) -> Words:
        """Return the next `counts[j]`, or `counts`, 64-bit words of each of the `tables`, table after table."""
        each = np.full(len(tables), counts) if isinstance(counts, int) else counts
        words = np.empty(int(each.sum()), np.uint64)
        draw_words(self._keys, tables, each, words)
        return words

    def floats(self, tables: Ints, counts: Ints | int) -> npt.NDArray[np.float64]:
        """Return floats in [0, 1), `counts[j]` or `counts` for each of the `tables`."""
        return (self.words(tables, counts) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def seeds(self, tables: Ints, counts: Ints | int) -> Ints:
        """Return integers 0 .. 2**63 - 1, `counts[j]` or `counts` for each of the `tables`."""
        return (self.words(tables, counts) >> np.uint64(1)).astype(np.int64)


@entry_point
def draw_words(keys: Any, tables: Any, counts: Any, words: Any) -> None:
    """Fill `words` with the next `counts[j]` words of each of the `tables`, and move their keys on.

    A word is the finalizer of SplitMix64 of its key: one bit changed changes half of them.
    """
    at = 0
    for j in range(len(tables)):
        key = keys[tables[j]]
        for _ in range(counts[j]):
            key = (key + GAMMA) & WORD
            word = ((key ^ key >> 30) * 0xBF58476D1CE4E5B9) & WORD
            word = ((word ^ word >> 27) * 0x94D049BB133111EB) & WORD
            words[at] = word ^ word >> 31
            at += 1
        keys[tables[j]] = key
