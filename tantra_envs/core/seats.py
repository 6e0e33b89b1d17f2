"""Seats in a ring, numbered to the left."""

from __future__ import annotations

from .jit import leaf


@leaf
def around(seat: int, seats: int) -> int:
    """`seat`, once past the last one counted on from the first, for 0 <= seat < 2 seats.

    Instead of `seat % seats`: a division costs as much as the rest of an ordinary play.
    """
    return int(seat - seats if seat >= seats else seat)
