"""Build the observation of a puzzle: the spaces, and the tiles of the kit."""

from __future__ import annotations

from typing import Any

from ...core.blocks import Block, ViewBlocks
from ...core.compiled.jit import kernel
from ...core.state import Record
from .board.hexes import facing_at, q_of, r_of, spot
from .board.tiles import colour_at, lit, shown
from .material import COLOURS, SIDES, Puzzle
from .modes.walk import open_end
from .state import puzzle_spaces

REACH = 30  # greatest distance of a space from (0, 0)
TILE = 4 + SIDES  # numbers for each tile of the kit


def puzzle_blocks(puzzle: Puzzle) -> ViewBlocks:
    """Return the table of observation blocks for a puzzle."""
    spaces = puzzle_spaces(puzzle)
    n = len(COLOURS)
    return ViewBlocks(
        Block("cells", 2 * spaces, "space f: q, r", high=REACH, low=-REACH),
        Block("cell_facing", SIDES * spaces, "space f: colour shown to it by direction, 0 = none", high=n),
        Block("cell_touch", spaces, "space f: tiles round it", high=SIDES),
        Block("cell_open", spaces, "space f: a tile may be laid there"),
        Block("kit", TILE * len(puzzle.kit), "tile i: lies, given from the start, q, r, its colours by direction",
              high=REACH, low=-REACH),
    )  # fmt: skip


@kernel
def observe_puzzle(s: Record, view: Any) -> None:
    """Fill `view` with the observation: everything except the colour of the white puzzle [X3]."""
    spaces = (len(view) - TILE * s.opt.kit_n) // (2 + SIDES + 2)
    if not s.over:
        _see_spaces(s, view, spaces)
    at = (2 + SIDES + 2) * spaces
    for i in range(s.opt.kit_n):
        tile = int(s.opt.kit[i])
        here = at + TILE * i
        if s.cell[tile] > 0:
            view[here] = 1
            view[here + 2] = q_of(int(s.cell[tile]))
            view[here + 3] = r_of(int(s.cell[tile]))
        view[here + 1] = s.opt.given_cell[i] > 0
        for d in range(SIDES):
            view[here + 4 + d] = colour_at(shown(tile, int(s.rot[tile])), d)


@kernel
def _see_spaces(s: Record, view: Any, spaces: int) -> None:
    fixed = s.opt.cells_n > 0
    end = open_end(s) // SIDES if s.opt.walk else 0
    # Where all tiles lie and may be taken up again [W6], there may be two spaces more than room; none takes a tile.
    for f in range(s.opt.cells_n if fixed else min(s.border_n, spaces)):
        cell = int(s.opt.cells[f]) if fixed else int(s.border[f])
        facing = facing_at(s, cell)
        view[2 * f] = q_of(cell)
        view[2 * f + 1] = r_of(cell)
        touch = 0
        for d in range(SIDES):
            view[2 * spaces + SIDES * f + d] = colour_at(facing, d)
            touch += (lit(facing) >> 3 * d) & 1
        view[(2 + SIDES) * spaces + f] = touch
        is_open = cell == end if s.opt.walk else s.board[spot(cell)] <= 0
        view[(3 + SIDES) * spaces + f] = is_open
