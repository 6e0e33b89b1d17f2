"""The random stream of a table: four 32-bit words stored in int64, so that all platforms agree.

The generator is sfc32, "small fast chaotic" (Chris Doty-Humphrey, PractRand, https://pracrand.sourceforge.net). The
seed makes its first two words, `INCREMENT` is the third, and the counter starts from 1. The first `WARM_UP` outputs
are discarded.

`stream` is an int64 array of shape (4,), usually the field `rng` of a state.
"""

from __future__ import annotations

from typing import Any

from .compiled.jit import kernel, leaf

WORD = 0xFFFFFFFF  # 32 bits
INCREMENT = 0x2545F491  # any number will do: the upper half of the multiplier of xorshift64* (Vigna, 2016)
WARM_UP = 12  # outputs discarded after seeding


@kernel
def seed_stream(stream: Any, seed: int) -> None:
    """Start `stream` from the low 64 bits of `seed`."""
    stream[0] = seed & WORD
    stream[1] = (seed >> 32) & WORD
    stream[2] = INCREMENT
    stream[3] = 1
    for _ in range(WARM_UP):
        next_word(stream)


@leaf
def next_word(stream: Any) -> Any:
    """Return the next output, 0 .. 2**32 - 1."""
    a, b, c, d = stream[0], stream[1], stream[2], stream[3]
    word = (a + b + d) & WORD
    stream[0] = b ^ (b >> 9)
    stream[1] = (c + (c << 3)) & WORD
    stream[2] = ((((c << 21) & WORD) | (c >> 11)) + word) & WORD
    stream[3] = (d + 1) & WORD
    return word


@kernel
def below(stream: Any, n: int) -> Any:
    """Return a uniform integer 0 .. n - 1 by Lemire's method, without bias, for 1 <= n < 2**31."""
    product = next_word(stream) * n
    if (product & WORD) < n:  # only then can it be below the threshold
        threshold = (WORD + 1 - n) % n
        while (product & WORD) < threshold:
            product = next_word(stream) * n
    return product >> 32


@kernel
def shuffle(stream: Any, cards: Any, n: int) -> None:
    """Shuffle `cards[:n]` by Fisher-Yates. Pass a slice to shuffle other parts of a list."""
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@kernel
def reverse(cards: Any, n: int) -> None:
    """Reverse the order of `cards[:n]`."""
    for i in range(n // 2):
        card = cards[i]
        cards[i] = cards[n - 1 - i]
        cards[n - 1 - i] = card


@kernel
def sort(cards: Any, n: int) -> None:
    """Sort `cards[:n]` by insertion. A shuffle after it does not depend on the earlier order."""
    for i in range(1, n):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
