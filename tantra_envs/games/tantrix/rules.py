"""Tantrix: the rules of all modes, and the three restraints told one by one.

Each mode has a file with its set-up, its legal placements and what a placement does: `strategy`,
`solitaire`, `gobble`; all puzzles share `building`.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.rng import seed_stream
from ...core.state import Record
from . import building, gobble, solitaire, strategy
from .bag import shuffle_bag
from .hexes import clear_board
from .material import HAND, MAX_SEATS
from .state import DISCOVERY, GOBBLE, OVER, SOLITAIRE


@kernel
def deal(s: Record, seed: int) -> None:
    """A new game under `s.opt` with `s.seats` players; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear_table(s)
    set_up(s)
    shuffle_bag(s)
    hand_out(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.over:
        return
    if s.opt.mode == SOLITAIRE:
        solitaire.legal(s, mask)
    elif s.opt.mode == GOBBLE:
        gobble.legal(s, mask)
    elif s.opt.mode >= DISCOVERY:
        building.legal(s, mask)
    else:
        strategy.legal(s, mask)


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and run on to the next decision."""
    s.plies += 1
    if s.opt.mode == SOLITAIRE:
        solitaire.place(s, action)
    elif s.opt.mode == GOBBLE:
        gobble.play(s, action)
    elif s.opt.mode >= DISCOVERY:
        building.play(s, action)
    else:
        strategy.place(s, action)
    if s.plies >= s.opt.move_limit and not s.over:
        s.over = 1
        s.truncated = 1
        s.phase = OVER


@kernel
def clear_table(s: Record) -> None:
    """Nothing dealt, nothing placed; `opt`, `seats` and the random stream stay."""
    clear_board(s)
    gobble.clear_piles(s)
    for seat in range(MAX_SEATS):
        s.rewards[seat] = 0.0
        for slot in range(HAND):
            s.hands[seat, slot] = 0
    s.seat = 0
    s.plies = 0
    s.deadlock = 0
    s.over = 0
    s.truncated = 0


@kernel
def set_up(s: Record) -> None:
    """Colours, and the tiles of the mode in ascending order."""
    if s.opt.mode == SOLITAIRE:
        solitaire.set_up(s)
    elif s.opt.mode == GOBBLE:
        gobble.set_up(s)
    elif s.opt.mode >= DISCOVERY:
        building.set_up(s)
    else:
        strategy.set_up(s)


@kernel
def hand_out(s: Record) -> None:
    """The first tiles to the hands, and who begins."""
    if s.opt.mode == SOLITAIRE:
        solitaire.hand_out(s)
    elif s.opt.mode == GOBBLE:
        gobble.hand_out(s)
    elif s.opt.mode >= DISCOVERY:
        building.hand_out(s)
    else:
        strategy.hand_out(s)
