"""Deal, legal actions and apply."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.rng import below, seed_stream
from ...core.state import Record
from .material import MOST
from .state import Phase, clear


@kernel
def deal(s: Record, seed: int) -> None:
    """Fill the heap and draw the seat that begins."""
    seed_stream(s.rng, seed)
    clear(s)
    s.left = s.opt.heap
    s.last = MOST  # so the first action may not take three
    s.seat = below(s.rng, 2)
    s.phase = Phase.TAKE


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Allow all numbers up to the heap, except the number taken last unless it takes the rest."""
    for action in range(len(mask)):
        mask[action] = s.over == 0 and (action + 1 == s.left or (action + 1 < s.left and action + 1 != s.last))


@kernel
def apply(s: Record, action: int) -> None:
    """Take tokens; the last token wins."""
    s.plies += 1
    s.left -= action + 1
    s.last = action + 1
    if s.left == 0:
        _end(s, int(s.seat))
    elif s.plies >= s.opt.max_moves:
        s.truncated = 1
        s.over = 1
        s.phase = Phase.OVER
    else:
        s.seat = 1 - s.seat


@kernel
def _end(s: Record, winner: int) -> None:
    s.over = 1
    s.phase = Phase.OVER
    s.rewards[winner] = 1.0
    s.rewards[1 - winner] = -1.0
