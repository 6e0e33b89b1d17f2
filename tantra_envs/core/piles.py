"""Piles: cards in a list at the beginning of an array."""

from __future__ import annotations

from typing import Any

from .jit import kernel


@kernel
def sort(cards: Any, n: int) -> None:
    """Insertion sort of `cards[:n]`; done before a shuffle, the shuffle cannot tell in which order they lay."""
    for i in range(1, n):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
