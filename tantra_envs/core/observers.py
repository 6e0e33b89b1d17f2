"""The observers of a resampled table: one seat, or all seats together with everything that any of them knows."""

from __future__ import annotations

from .compiled.jit import leaf

ALL_SEATS = -1


@leaf
def knows_hand(observer: int, seat: int) -> bool:
    """Return whether the observer knows all cards in the hand of a seat."""
    return bool((observer == ALL_SEATS) | (observer == seat))
