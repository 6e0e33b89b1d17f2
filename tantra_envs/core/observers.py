"""The observers of a resampled table, and their unknown cards: collected from the hands, and dealt back.

An observer is one seat, or all seats together with everything that any of them knows.
"""

from __future__ import annotations

from typing import Any

from .compiled.jit import kernel, leaf

ALL_SEATS = -1


@leaf
def knows_hand(observer: int, seat: int) -> bool:
    """Return whether the observer knows all cards in the hand of a seat."""
    return bool((observer == ALL_SEATS) | (observer == seat))


@kernel
def collect(hand: Any, known: Any, cards: Any, n: int) -> int:
    """Move the cards of a hand beyond those `known`, all by type, to `cards[n:]`; return the new end of that list."""
    for card in range(len(hand)):
        for _ in range(hand[card] - known[card]):
            cards[n] = card
            n += 1
        hand[card] = known[card]
    return n


@kernel
def complete(hand: Any, size: int, cards: Any, n: int) -> int:
    """Fill up a hand by type to `size` cards from the end of `cards[:n]`; return the new end of that list."""
    missing = size
    for card in range(len(hand)):
        missing -= hand[card]
    for _ in range(missing):
        n -= 1
        hand[cards[n]] += 1
    return n
