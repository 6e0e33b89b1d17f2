"""Random numbers for the decisions of an agent at many tables, each table from its own stream.

An environment that plays many tables has a random stream for each. The numbers of a decision follow from that stream
and from how many actions were taken before, so they depend neither on the other tables nor on how often they are asked
for. The streams are read and never advanced.

The numbers are those of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014),
started from a key for each table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

GAMMA = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio, odd: the steps of SplitMix64
MOMENT = np.uint64(0xD1342543DE82EF95)  # odd and far from every small multiple of GAMMA (Steele and Vigna, 2021)
BEFORE_THE_FIRST = -1  # the moment of what is drawn before the first action


class TableChance:
    """The random numbers of one decision at each of k tables.

    streams: (k, 4) int64, a stream of each table; moments: (k,) int64, the actions taken there so far.
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
        keys = self._keys[tables]
        if isinstance(counts, int):
            steps = np.arange(1, counts + 1, dtype=np.uint64) * GAMMA
            self._keys[tables] = keys + steps[-1:].sum()
            return mixed((keys[:, None] + steps).reshape(-1))
        used = counts.astype(np.uint64)
        self._keys[tables] = keys + used * GAMMA
        before = keys - (np.cumsum(used) - used) * GAMMA  # so that one series of places serves all tables
        places = np.arange(1, int(counts.sum()) + 1, dtype=np.uint64)
        return mixed(np.repeat(before, counts) + places * GAMMA)

    def floats(self, tables: Ints, counts: Ints | int) -> npt.NDArray[np.float64]:
        """Return floats in [0, 1), `counts[j]` or `counts` for each of the `tables`."""
        return (self.words(tables, counts) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def seeds(self, tables: Ints, counts: Ints | int) -> Ints:
        """Return integers 0 .. 2**63 - 1, `counts[j]` or `counts` for each of the `tables`."""
        return (self.words(tables, counts) >> np.uint64(1)).astype(np.int64)


def mixed(words: Words) -> Words:
    """Return the finalizer of SplitMix64 of each word: one bit changed changes half of them."""
    words = (words ^ words >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ words >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return words ^ words >> np.uint64(31)
