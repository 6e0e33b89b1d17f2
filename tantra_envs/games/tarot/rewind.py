"""A table as it was, had the cards lain as in a world drawn for the present: what others would have seen then."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.state import Record
from .cards import knows
from .hand_scores import class_points, show_class
from .material import CARDS, HAND
from .reckoning import THE_CALL
from .state import Phase, Place

TEMPER = 1.0  # points by which an action must be worse to be e times less likely
LEAST = 0.03  # how likely anything is that others may do: found, like TEMPER, by how well worlds tell the hands


@kernel
def rewind(s: Record, past: Record, world: Record, seat: int) -> int:
    """Make `s`, a copy of `past`, what it was in a `world` that `seat` drew: 1; -1 if it cannot have been so.

    0 where the past tells nothing: in another hand, and before the play, when everything is shown that there is.
    Only cards played since lie as they truly did, which everybody has seen; where the truth had the others is not
    looked at. Who gave a card away still knows of it, as far as `seat` can tell.
    """
    if past.phase != Phase.PLAY or past.hand_no != world.hand_no:
        return 0
    for card in range(CARDS):
        if world.loc[card] < Place.TRICK:
            s.loc[card] = world.loc[card]
            s.giver[card] = world.giver[card]
        elif past.loc[card] != seat and not knows(past, seat, card):
            s.giver[card] = -1
    return -1 if s.hand_n[s.seat] == HAND and _would_show_more(s, past) else 1


@kernel
def _would_show_more(s: Record, past: Record) -> bool:
    """Holds the seat to decide, before its first card, a class that it did not show?"""
    more = False
    for cls in range(THE_CALL):
        if class_points(s, int(s.seat), cls) > 0:
            show_class(s, int(s.seat), cls)
    for card in range(CARDS):
        more = more or s.exposed[card] != past.exposed[card]
        s.exposed[card] = past.exposed[card]
    return more
