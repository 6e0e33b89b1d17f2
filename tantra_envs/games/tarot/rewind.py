"""A table as it was, had the cards lain as in a world drawn for the present: what others would have seen then."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.state import Record
from .cards import knows
from .material import CARDS, HAND
from .reckoning import THE_CALL
from .hand_scores import class_points, show_class
from .state import Phase, Place


@kernel
def rewind(s: Record, past: Record, world: Record, seat: int) -> int:
    """Make `s`, a copy of `past`, what it was in `world`: 1, or 0 where `past` tells nothing, -1 where it cannot have been.

    Only cards played since lie as they truly did, which everybody has seen; where else the truth had them is not
    looked at. What a seat knows of a card it gave away is kept where `seat` knows it too.
    """
    if past.phase != Phase.PLAY or past.hand_no != world.hand_no:
        return 0
    for card in range(CARDS):
        if world.loc[card] < Place.TRICK:
            s.loc[card] = world.loc[card]
            s.giver[card] = world.giver[card]
        elif past.loc[card] < Place.TRICK and not (knows(past, seat, card) or past.loc[card] == seat):
            s.giver[card] = -1
    return -1 if s.hand_n[s.seat] == HAND and _kept_silent(s, past) else 1


@kernel
def _kept_silent(s: Record, past: Record) -> bool:
    """Before its first card: would the seat to decide have shown more than it did?"""
    seat, silent = int(s.seat), False
    for cls in range(THE_CALL):
        if class_points(s, seat, cls) > 0:
            show_class(s, seat, cls)
    for card in range(CARDS):
        silent = silent or s.exposed[card] != past.exposed[card]
        s.exposed[card] = past.exposed[card]
    return silent
