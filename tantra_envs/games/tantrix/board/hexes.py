"""Number the cells, and keep the border of the Tantrix.

A cell (q, r) is the number (r + 64) * 128 + (q + 64). Neighbours differ by a constant, and ascending numbers are in
order of (r, q). Its spot on the board is (r mod 64) * 64 + (q mod 64).
"""

from __future__ import annotations

import numpy as np

from ....core.compiled.jit import kernel, leaf
from ....core.state import Record
from ..material import COLOURS, DIRECTIONS, MAX_SPACES, SIDES
from ..state import ORIGIN, ROW, SPOTS
from .tiles import colour_at, fits, shown

START = ORIGIN * ROW + ORIGIN  # the cell (0, 0)
STEPS = np.array([r * ROW + q for q, r in DIRECTIONS])  # offset to the neighbour in each direction
FORCED = 3  # number of tiles round a gobble, which must be filled if possible [D5]
OPEN = -1  # value on the board: an empty space next to the Tantrix


@leaf
def cell_at(q: int, r: int) -> int:
    """Return the number of a cell."""
    return (r + ORIGIN) * ROW + q + ORIGIN


@leaf
def q_of(cell: int) -> int:
    """Return the first coordinate of a cell."""
    return (cell % ROW) - ORIGIN


@leaf
def r_of(cell: int) -> int:
    """Return the second coordinate of a cell."""
    return (cell // ROW) - ORIGIN


@leaf
def spot(cell: int) -> int:
    """Return the spot of a cell on the board."""
    return (cell >> 1) & (SPOTS - 1) * SPOTS | cell & (SPOTS - 1)  # both sides are powers of two, ROW = 2 * SPOTS


@leaf
def line_of(cell: int, axis: int) -> int:
    """Return the index of the line through a cell along axis 0, 1 or 2: with constant q, r or s."""
    if axis == 0:
        return cell & (SPOTS - 1)
    if axis == 1:
        return SPOTS + ((cell >> 7) & (SPOTS - 1))  # ROW = 1 << 7
    return 2 * SPOTS + (-cell - (cell >> 7) & (SPOTS - 1))  # ORIGIN and ROW are multiples of SPOTS


@kernel
def wipe_board(s: Record) -> None:
    """Clear the board and the border, and keep the cell and rotation of every tile."""
    for i in range(SPOTS * SPOTS):
        s.board[i] = 0
    for i in range(3 * SPOTS):
        s.lines[i] = 0
    for f in range(MAX_SPACES):
        s.border[f] = 0
        s.facing[f] = 0
        s.touch[f] = 0
    for i in range(4):
        s.box[i] = 0
    for colour in range(len(COLOURS) + 1):
        s.best[colour] = 0
    s.placed = 0
    open_start(s)


@kernel
def open_start(s: Record) -> None:
    """Make (0, 0) the only space of an empty board."""
    s.border[0] = START
    s.border_n = 1
    s.board[spot(START)] = OPEN


@kernel
def close_start(s: Record) -> None:
    """Remove the space (0, 0), for puzzles whose tiles need not touch."""
    _close(s, 0)
    s.board[spot(START)] = 0


@kernel
def facing_at(s: Record, cell: int) -> int:
    """Return the colours shown to an empty cell, 0 for a cell without neighbours."""
    f = find(s, cell)
    return int(s.facing[f]) if f < s.border_n and s.border[f] == cell else 0


@kernel
def find(s: Record, cell: int) -> int:
    """Return the index of the first space of the border that is not before `cell`."""
    low, high = 0, int(s.border_n)
    while low < high:
        middle = (low + high) // 2
        if s.border[middle] < cell:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def joins(s: Record, tile: int, least: int) -> bool:
    """Return whether a tile (0 = none) fits a space that touches at least `least` tiles."""
    for f in range(s.border_n if tile > 0 else 0):
        facing = int(s.facing[f])
        if s.touch[f] >= least and fits(tile, facing):
            return True
    return False


@kernel
def opens(s: Record, cell: int) -> int:
    """Return the number of spaces that become gobbles when an empty cell is filled."""
    opened = 0
    for d in range(SIDES):
        beside = cell + STEPS[d]
        if s.board[spot(beside)] < 0:
            opened += s.touch[find(s, beside)] == FORCED - 1
    return opened


@kernel
def put(s: Record, tile: int, cell: int, rot: int) -> None:
    """Place a tile on an empty cell and update the border round it.

    The board value of an open space is OPEN, or OPEN - colour when two tiles show it that colour. The first restraint
    forbids a third side in that colour.
    """
    f = find(s, cell)
    if f < s.border_n and s.border[f] == cell:
        _close(s, f)
    s.board[spot(cell)] = tile
    s.cell[tile] = cell
    s.rot[tile] = rot
    for axis in range(3):
        s.lines[line_of(cell, axis)] += 1
    _stretch(s, q_of(cell), r_of(cell))
    s.placed += 1
    sides = shown(tile, rot)
    for d in range(SIDES):
        beside = cell + STEPS[d]
        if s.board[spot(beside)] <= 0:
            _show(s, beside, (d + 3) % SIDES, colour_at(sides, d))


@kernel
def _show(s: Record, cell: int, d: int, colour: int) -> None:
    """Add a neighbour in direction `d` that shows `colour` to an empty cell."""
    f = find(s, cell)
    if s.board[spot(cell)] == 0:
        _open(s, f, cell)
    facing = int(s.facing[f])
    for other in range(SIDES):
        if colour_at(facing, other) == colour:
            s.board[spot(cell)] = min(int(s.board[spot(cell)]), OPEN - colour)
    s.facing[f] = facing | (colour << (3 * d))
    s.touch[f] += 1


@kernel
def _open(s: Record, f: int, cell: int) -> None:
    """Insert a new space into the sorted border."""
    for i in range(s.border_n, f, -1):
        s.border[i] = s.border[i - 1]
        s.facing[i] = s.facing[i - 1]
        s.touch[i] = s.touch[i - 1]
    s.border[f] = cell
    s.facing[f] = 0
    s.touch[f] = 0
    s.border_n += 1
    s.board[spot(cell)] = OPEN


@kernel
def _close(s: Record, f: int) -> None:
    """Remove a space from the border; unused entries stay zero."""
    s.border_n -= 1
    last = int(s.border_n)
    for i in range(f, last):
        s.border[i] = s.border[i + 1]
        s.facing[i] = s.facing[i + 1]
        s.touch[i] = s.touch[i + 1]
    s.border[last] = 0
    s.facing[last] = 0
    s.touch[last] = 0


@kernel
def _stretch(s: Record, q: int, r: int) -> None:
    """Extend the box of the tiles by a cell."""
    if s.placed == 0:
        s.box[0], s.box[1], s.box[2], s.box[3] = q, q, r, r
    s.box[0] = min(int(s.box[0]), q)
    s.box[1] = max(int(s.box[1]), q)
    s.box[2] = min(int(s.box[2]), r)
    s.box[3] = max(int(s.box[3]), r)


@leaf
def middle_q(s: Record) -> int:
    """Return the q coordinate of the middle of the box of the tiles."""
    return (int(s.box[0]) + int(s.box[1])) // 2


@leaf
def middle_r(s: Record) -> int:
    """Return the r coordinate of the middle of the box of the tiles."""
    return (int(s.box[2]) + int(s.box[3])) // 2


@kernel
def stays_sound(s: Record, cell: int, facing: int) -> bool:
    """Return whether every line of cells meets the Tantrix plus `cell` in one unbroken run [R4].

    This test covers the second and the third restraint. `facing` holds the colours shown to the cell.
    """
    for axis in range(3):
        ahead = (2, 1, 0)[axis]  # a direction along the line; its opposite is ahead + 3
        alone = colour_at(facing, ahead) == 0 and colour_at(facing, ahead + 3) == 0
        if alone and s.lines[line_of(cell, axis)] > 0:
            return False
    return True


@kernel
def banned_sides(s: Record, cell: int) -> int:
    """Return by direction the colour that would show a gobble one colour three times [R1]; 0 = no limit."""
    banned = 0
    for d in range(SIDES):
        banned |= max(0, OPEN - int(s.board[spot(cell + STEPS[d])])) << (3 * d)
    return banned
