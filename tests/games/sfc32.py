"""The random stream sfc32, its dice and its shuffle in plain Python integers, without any code of the package."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any


def stream(seed: int) -> Iterator[int]:
    """Yield the words of the stream that a seed starts."""
    a, b, c, d = seed % 2**32, (seed >> 32) % 2**32, 0x2545F491, 1
    for number in count():
        word = (a + b + d) % 2**32
        a, b, c, d = b ^ (b >> 9), (9 * c) % 2**32, ((c << 21 | c >> 11) + word) % 2**32, (d + 1) % 2**32
        if number >= 12:
            yield word


def below(words: Iterator[int], n: int) -> int:
    """Return a number from 0 to n - 1."""
    while (product := next(words) * n) % 2**32 < 2**32 % n:
        pass
    return product >> 32


def shuffle(words: Iterator[int], cards: list[Any]) -> None:
    """Shuffle the cards in place."""
    for i in range(len(cards) - 1, 0, -1):
        j = below(words, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
