"""Build the observation of a puzzle: the spaces, and the tiles of the kit."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.blocks import Block, ViewBlocks
from ...core.compiled.jit import kernel
from ...core.state import Record, States
from .board.hexes import STEPS, facing_at, q_of, r_of, spot
from .board.tiles import colour_at, lit, shown
from .material import COLOURS, LINK, SHOWN, SIDES, Puzzle
from .modes.walk import open_end
from .state import ORIGIN, ROW, puzzle_spaces

Numbers = npt.NDArray[Any]
REACH = 30  # greatest distance of a space from (0, 0)
TILE = 4 + SIDES  # numbers for each tile of the kit


def puzzle_blocks(puzzle: Puzzle) -> ViewBlocks:
    """Return the table of observation blocks for a puzzle."""
    spaces = puzzle_spaces(puzzle)
    n = len(COLOURS)
    return ViewBlocks(
        Block("cells", 2 * spaces, "space f: q, r", high=REACH, low=-REACH,
              of=lambda k: coordinates(_spaces(k, spaces)) * (_spaces(k, spaces) > 0)[..., None]),
        Block("cell_facing", SIDES * spaces, "space f: colour shown to it by direction, 0 = none", high=n,
              of=lambda k: unpacked(_facing(k, spaces))),
        Block("cell_touch", spaces, "space f: tiles round it", high=SIDES,
              of=lambda k: (unpacked(_facing(k, spaces)) > 0).sum(axis=2)),
        Block("cell_open", spaces, "space f: a tile may be laid there", of=lambda k: _is_open(k, _spaces(k, spaces))),
        Block("kit", TILE * len(puzzle.kit), "tile i: lies, given from the start, q, r, its colours by direction",
              high=REACH, low=-REACH, of=lambda k: _kit(k, len(puzzle.kit))),
    )  # fmt: skip


# The meanings of the blocks


def unpacked(sides: Numbers) -> Numbers:
    """Return the colours of packed sides (..), by direction: shape (.., 6)."""
    return np.asarray(sides[..., None].astype(np.int64) >> 3 * np.arange(SIDES) & 7)


def coordinates(cells: Numbers) -> Numbers:
    """Return q and r of cells (..), shape (.., 2)."""
    return np.stack([cells % ROW, cells // ROW], axis=-1).astype(np.int64) - ORIGIN


def _spaces(k: States, spaces: int) -> Numbers:
    """Return the cells of the shape, or else those next to the tiles, shape (n, spaces); 0 = none."""
    fixed, given, border = k["opt"]["cells_n"][:, None], k["opt"]["cells"], k["border"]
    cells = np.zeros((len(k), max(spaces, given.shape[1], border.shape[1])), np.int64)
    cells[:, : border.shape[1]] = np.where(fixed > 0, 0, border)
    cells[:, : given.shape[1]] += given
    count = np.where(fixed > 0, fixed, k["border_n"][:, None]) * (k["over"][:, None] == 0)
    return np.where(np.arange(spaces) < count, cells[:, :spaces], 0)


def _facing(k: States, spaces: int) -> Numbers:
    """Return the sides shown to each space, shape (n, spaces); 0 for a cell with a tile or without neighbours."""
    cells = _spaces(k, spaces)
    same = (cells[..., None] == k["border"][:, None]) & (cells[..., None] > 0)
    return np.asarray((same * k["facing"][:, None]).sum(axis=2))


def _is_open(k: States, cells: Numbers) -> Numbers:
    """Return which spaces take a tile: those without one; in a walk, the one at the open end of the line."""
    free = (cells > 0) & ~(cells[..., None] == k["cell"][:, None]).any(axis=2)
    ends = np.array([_end_of_line(s) if s["opt"]["walk"] else -1 for s in k])
    return np.asarray(np.where(k["opt"]["walk"][:, None] == 1, cells == ends[:, None], free))


def _end_of_line(s: Any) -> int:
    """Return the cell at the end of the line that leaves the first tile of a walk."""
    first, lies = int(s["opt"]["kit"][0]), {int(cell): tile for tile, cell in enumerate(s["cell"]) if cell > 0}
    away = unpacked(SHOWN[SIDES * first : SIDES * first + 1])[0].tolist().index(int(s["opt"]["colour"]))
    cell = int(s["cell"][first]) + int(STEPS[away])
    while lies.get(cell, first) != first:
        tile = lies[cell]
        away = int(LINK[SIDES * (SIDES * tile + int(s["rot"][tile])) + (away + 3) % SIDES])
        cell += int(STEPS[away])
    return cell


def _kit(k: States, tiles: int) -> Numbers:
    kit = k["opt"]["kit"][:, :tiles].astype(np.int64)
    cells, turns = (np.take_along_axis(k[name], kit, 1) for name in ("cell", "rot"))
    lies, given = (cells > 0)[..., None], (k["opt"]["given_cell"][:, :tiles] > 0)[..., None]
    return np.concatenate([lies, given, coordinates(cells) * lies, unpacked(SHOWN[SIDES * kit + turns])], axis=2)


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
