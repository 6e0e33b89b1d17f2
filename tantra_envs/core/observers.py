"""For whom a table is drawn again: for one seat, or for all together, who know whatever any of them knows."""

from __future__ import annotations

from .compiled.jit import leaf

ALL_SEATS = -1


@leaf
def knows_hand(observer: int, seat: int) -> bool:
    """Does it know all cards in the hand of a seat?"""
    return bool((observer == ALL_SEATS) | (observer == seat))
