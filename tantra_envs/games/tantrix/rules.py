"""Play Tantrix: deal, list and apply actions in every mode.

Each mode has a file with the functions `deal`, `legal` and `play`: `strategy`, `solitaire` and `gobble`. All puzzles
share `puzzle`. The three kernels of this file call the functions of the mode.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.rng import seed_stream
from ...core.state import Record
from .board.hexes import open_start
from .modes import gobble, puzzle, solitaire, strategy
from .state import Mode, Phase, clear


@kernel
def deal(s: Record, seed: int) -> None:
    """Deal a new game with the options `s.opt` and `s.seats` seats; every random number comes from `seed`."""
    seed_stream(s.rng, seed)
    clear_table(s)
    begin(s)


@kernel
def begin(s: Record) -> None:
    """Deal to an empty table. If the bag already holds tiles, they are a fixed deck."""
    if s.opt.mode == Mode.SOLITAIRE:
        solitaire.deal(s)
    elif s.opt.mode == Mode.GOBBLE:
        gobble.deal(s)
    elif s.opt.mode >= Mode.DISCOVERY:
        puzzle.deal(s)
    else:
        strategy.deal(s)


@kernel
def legal_actions(s: Record, mask: Any) -> None:
    """Set `mask[a]` to 1 for every legal action of the seat to decide."""
    for a in range(len(mask)):
        mask[a] = 0
    if s.over:
        return
    if s.opt.mode == Mode.SOLITAIRE:
        solitaire.legal(s, mask)
    elif s.opt.mode == Mode.GOBBLE:
        gobble.legal(s, mask)
    elif s.opt.mode >= Mode.DISCOVERY:
        puzzle.legal(s, mask)
    else:
        strategy.legal(s, mask)


@kernel
def apply(s: Record, action: int) -> None:
    """Play a legal action and go on to the next decision."""
    s.plies += 1
    if s.opt.mode == Mode.SOLITAIRE:
        solitaire.play(s, action)
    elif s.opt.mode == Mode.GOBBLE:
        gobble.play(s, action)
    elif s.opt.mode >= Mode.DISCOVERY:
        puzzle.play(s, action)
    else:
        strategy.play(s, action)
    if s.plies >= s.opt.move_limit and not s.over:
        s.over = 1
        s.truncated = 1
        s.phase = Phase.OVER


@kernel
def clear_table(s: Record) -> None:
    """Remove all tiles from the table and the hands; `opt`, `seats` and the random stream stay."""
    clear(s)
    open_start(s)
