"""Past positions with the hidden cards of a determinization, to judge how likely past decisions were."""

from __future__ import annotations

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..cards import knows
from ..hand_scores import class_points, show_class
from ..material import CARDS, HAND
from ..reckoning import THE_CALL
from ..state import Phase, Place

TEMPERATURE = 1.0  # points by which an action must be worse to be e times less likely
MIN_PROBABILITY = 0.03  # lowest probability of any action; both were fitted to how well they identify the true hands


@kernel
def rewind(s: Record, past: Record, sample: Record, seat: int) -> int:
    """Turn `s`, a copy of `past`, into what it was if the cards were as in `sample`, a determinization of `seat`.

    Only cards played since are where they truly were, which everybody saw. The giver of a card still knows it, as far
    as `seat` can tell.

    Returns:
        1 if it worked, -1 if `past` cannot have been so. 0 if the past has no information: in another hand, and before
        the play.
    """
    if past.phase != Phase.PLAY or past.hand_no != sample.hand_no:
        return 0
    for card in range(CARDS):
        if sample.loc[card] < Place.TRICK:
            s.loc[card] = sample.loc[card]
            s.giver[card] = sample.giver[card]
        elif past.loc[card] != seat and not knows(past, seat, card):
            s.giver[card] = -1
    return -1 if s.hand_n[s.seat] == HAND and _would_show_more(s, past) else 1


@kernel
def _would_show_more(s: Record, past: Record) -> bool:
    """Return whether the seat to decide, before its first card, holds a class that it did not show."""
    more = False
    for cls in range(THE_CALL):
        if class_points(s, int(s.seat), cls) > 0:
            show_class(s, int(s.seat), cls)
    for card in range(CARDS):
        more = more or s.exposed[card] != past.exposed[card]
        s.exposed[card] = past.exposed[card]
    return more
