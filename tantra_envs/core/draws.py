"""Random choices that follow from a seed on every machine and with every version of NumPy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from .compiled.drivers import random_ints, seed_streams

T = TypeVar("T")
_FIRST = np.zeros(1, np.int64)


class Draws:
    """Choices from the random stream of a name and a seed. Other names have other streams."""

    def __init__(self, name: str, seed: int) -> None:
        digest = hashlib.sha256(f"{name}:{seed}".encode()).digest()
        self._stream, self._drawn = np.zeros((1, 4), np.int64), np.zeros(1, np.int64)
        seed_streams(self._stream, int.from_bytes(digest[:8], "little") >> 1)

    def below(self, n: int) -> int:
        """Return an integer 0 .. n - 1."""
        random_ints(self._stream, _FIRST, n, self._drawn)
        return int(self._drawn[0])

    def between(self, low: int, high: int) -> int:
        """Return an integer `low` .. `high`."""
        return low + self.below(high - low + 1)

    def choice(self, values: Sequence[T]) -> T:
        """Return one of the values."""
        return values[self.below(len(values))]

    def sample(self, values: Sequence[T], n: int) -> list[T]:
        """Return n of the values in random order, each at most once."""
        left = list(values)
        for i in range(n):
            j = i + self.below(len(left) - i)
            left[i], left[j] = left[j], left[i]
        return left[:n]

    def seed(self) -> int:
        """Return a seed, 0 .. 2**31 - 2."""
        return self.below(2**31 - 1)
