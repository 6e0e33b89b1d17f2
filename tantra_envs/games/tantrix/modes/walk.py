"""Play the walk along the loop: each tile goes to the cell at the open end of the line [W7].

An end is a cell and the direction in which the line enters it, packed into one number.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..board.hexes import STEPS, facing_at, spot
from ..board.lines import link
from ..board.tiles import colour_at, linked, matches, shown
from ..material import SIDES
from ..state import WAYS


@kernel
def open_end(s: Record) -> int:
    """Return the end of the line that leaves the first tile by its lower side in the colour of the loop."""
    first = int(s.opt.kit[0])
    away = side_of(s, first, 0)
    at = s.cell[first] + STEPS[away]
    while s.board[spot(at)] > 0 and s.board[spot(at)] != first:
        away = link(s, int(s.board[spot(at)]), (away + 3) % SIDES)
        at += STEPS[away]
    return int(at * SIDES + away)


@kernel
def last_tile(s: Record, end: int) -> int:
    """Return the tile before an end."""
    return int(s.board[spot(end // SIDES - STEPS[end % SIDES])])


@kernel
def side_of(s: Record, tile: int, way: int) -> int:
    """Return the lower (0) or higher (1) side of a tile in the colour of the loop, -1 = none."""
    for side in range(SIDES):
        if colour_at(shown(tile, 0), side) == s.opt.colour:
            return side if way == 0 else linked(tile, 0, side)
    return -1


@kernel
def rotation_at(s: Record, end: int, tile: int, way: int) -> int:
    """Return the rotation in which a tile continues from an end with one of its two sides, -1 = not possible.

    The tile has to match. Its line must not run into another tile, except that the last tile runs into the first.
    """
    cell, side = end // SIDES, side_of(s, tile, way)
    rot = (end % SIDES + 3 - side) % SIDES
    if side < 0 or not matches(shown(tile, rot), facing_at(s, cell)):
        return -1
    out = linked(tile, rot, (side + rot) % SIDES)
    beyond = s.board[spot(cell + STEPS[out])]
    closes = beyond == s.opt.kit[0] and s.placed == s.opt.kit_n - 1
    return rot if beyond <= 0 or closes else -1


@kernel
def mark_ways(s: Record, end: int, i: int, tile: int, mask: Any) -> None:
    """Mark the sides with which tile i of the kit can continue the line."""
    for way in range(WAYS):
        mask[WAYS * i + way] = rotation_at(s, end, tile, way) >= 0


@kernel
def goes_on(s: Record, end: int, tile: int) -> bool:
    """Return whether a tile can continue the line."""
    return rotation_at(s, end, tile, 0) >= 0 or rotation_at(s, end, tile, 1) >= 0
