"""What a seat sees of tiles, spaces and hands, laid out so that lines can be followed and tiles tried.

Colours are those of the view: 1 = the own one. The six sides of a tile or space are one number, three bits a direction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel, leaf
from ....core.state import record
from ..board.tiles import LOW_BITS, colour_at, lit
from ..material import COLOURS, HAND, SIDES, STRATEGY_SPACES, TILES
from ..view import BOARD, SLOT

SEEN = ("cells", "cell_facing", "cell_touch", "board", "hands")  # blocks of the view: where they begin is `at`
GRID = 64  # the view's board, with the middle of the box in its middle
STEPS = np.array([1 - GRID, 1, GRID, GRID - 1, -1, -GRID])  # to the neighbour in each direction
UNKNOWN = 127  # longer than any line
COLOURED = len(COLOURS) + 1  # numbers of colours, 0 = none
HANDS = len(COLOURS)  # seats that hold more than one tile
TURN = 3 * SIDES  # bits of six sides
RING = HAND * SIDES  # bits of the slots in all rotations
EVERY_TURN = sum(1 << HAND * rot for rot in range(SIDES))  # of the first slot
ODD, MIDDLE, HIGH = (sum(1 << HAND * rot for rot in turns) for turns in ((1, 3, 5), (2, 3), (4, 5)))

SIGHT = record(
    [
        ("rings", np.int64, (HANDS * COLOURED,)),  # seat, colour: bit 6 * rot + slot if that tile shows it to NE so
        ("fits", np.int64, (STRATEGY_SPACES,)),  # the same if that own tile matches the space, 0 = not known
        ("cell", np.int32, (STRATEGY_SPACES,)),  # where each space lies on the grid
        ("facing", np.int32, (STRATEGY_SPACES,)),  # the sides shown to it
        ("sides", np.int32, (TILES + 1,)),  # of the placed tiles
        ("hand", np.int32, (HAND,)),  # sides of the own tiles, not turned
        ("spaces", np.int16),
        ("touch", np.int8, (STRATEGY_SPACES,)),  # tiles round a space
        ("lengths", np.int8, (STRATEGY_SPACES * SIDES,)),  # of the line that leaves a space on a side
        ("grid", np.int8, (GRID * GRID,)),  # a tile, minus the number of a space (from 1), or 0 = neither
    ]
)


# [Looking]


@kernel
def look(view: Any, at: Any, seats: int, slots: int, spaces: int, sight: Any) -> None:
    """Lay out a view that counts so many spaces."""
    for i in range(GRID * GRID):
        sight.grid[i] = 0
    _look_at_tiles(view, at[3], sight)
    _look_at_spaces(view, at, spaces, sight)
    for slot in range(slots):
        sight.hand[slot] = packed(view, at[4] + SLOT * slot + 1)
    for seat in range(seats):
        _look_at_hand(view, at[4] + SLOT * slots * seat, slots, COLOURED * seat, sight)


@kernel
def _look_at_tiles(view: Any, board: int, sight: Any) -> None:
    for tile in range(1, TILES + 1):
        here = board + BOARD * (tile - 1)
        if view[here] > 0:
            sight.grid[cell_of(view, here + 1)] = tile
            sight.sides[tile] = packed(view, here + 3)


@kernel
def _look_at_spaces(view: Any, at: Any, spaces: int, sight: Any) -> None:
    """Spaces have neighbours, but for the one of the empty table."""
    f = 0
    while f < spaces and (f == 0 or view[at[2] + f] > 0):
        sight.cell[f] = cell_of(view, at[0] + 2 * f)
        sight.facing[f] = packed(view, at[1] + SIDES * f)
        sight.touch[f] = int(view[at[2] + f])
        sight.fits[f] = 0
        for d in range(SIDES):
            sight.lengths[SIDES * f + d] = UNKNOWN if colour_at(int(sight.facing[f]), d) > 0 else 0
        sight.grid[sight.cell[f]] = -f - 1
        f += 1
    sight.spaces = f


@kernel
def _look_at_hand(view: Any, hand: int, slots: int, first: int, sight: Any) -> None:
    for colour in range(COLOURED):
        sight.rings[first + colour] = 0
    for slot in range(slots):
        for side in range(SIDES):
            colour = int(view[hand + SLOT * slot + 1 + side])
            sight.rings[first + colour] |= 1 << (HAND * ((SIDES - side) % SIDES) + slot)
    sight.rings[first] = (1 << RING) - 1  # where nothing is shown anything goes


@leaf
def cell_of(view: Any, here: int) -> int:
    """Where a cell of the view lies on the grid."""
    return (int(view[here + 1]) + GRID // 2) * GRID + int(view[here]) + GRID // 2


@kernel
def packed(view: Any, here: int) -> int:
    """Six colours of the view in one number."""
    sides = 0
    for d in range(SIDES):
        sides |= int(view[here + d]) << (3 * d)
    return sides


# [Sides]


@leaf
def showing(sides: int, colour: int) -> int:
    """The lowest bit of every direction that shows a colour."""
    return LOW_BITS & ~lit(sides ^ (colour * LOW_BITS))


@leaf
def direction_of(bit: int) -> int:
    """The direction of one such bit, put together from its binary digits."""
    return ((bit & 0o101010) != 0) + 2 * ((bit & 0o001100) != 0) + 4 * ((bit & 0o110000) != 0)


@kernel
def link(sides: int, d: int) -> int:
    """Where the link that enters a tile on one side leaves it."""
    return direction_of(showing(sides, colour_at(sides, d)) & ~(1 << (3 * d)))


@kernel
def turned(sight: Any, f: int, slot: int, j: int) -> int:
    """The sides of an own tile in the j-th rotation that matches a space, of two at most; 0 = there is none."""
    if sight.fits[f] == 0:
        sight.fits[f] = fitting(sight, 0, int(sight.facing[f]))
    turns = (int(sight.fits[f]) >> slot) & EVERY_TURN
    first = turns & -turns
    turn = first if j == 0 else turns ^ first
    rot = ((turn & ODD) != 0) + 2 * ((turn & MIDDLE) != 0) + 4 * ((turn & HIGH) != 0)
    tile = int(sight.hand[slot]) if turn != 0 else 0
    return ((tile << (3 * rot)) | (tile >> (TURN - 3 * rot))) & ((1 << TURN) - 1)


@kernel
def fitting(sight: Any, seat: int, facing: int) -> int:
    """Which tiles of a hand match the sides shown, and how they are turned then: bit 6 * rot + slot."""
    tiles = (1 << RING) - 1
    for d in range(SIDES):
        ring = sight.rings[COLOURED * seat + colour_at(facing, d)]
        tiles &= (ring << (HAND * d)) | (ring >> (RING - HAND * d))
    return tiles


# [Lines]


@kernel
def length(sight: Any, f: int, d: int) -> int:
    """Tiles on the line that leaves a space in direction `d`; negative if it comes back to it."""
    known = int(sight.lengths[SIDES * f + d])
    return known if known != UNKNOWN else _follow(sight, f, d)


@kernel
def _follow(sight: Any, f: int, d: int) -> int:
    """The same, noted for both ends of the line."""
    met, away = 0, d
    here = sight.cell[f] + STEPS[d]
    tile = int(sight.grid[here])
    while tile > 0:
        met += 1
        away = link(int(sight.sides[tile]), (away + 3) % SIDES)
        here += STEPS[away]
        tile = int(sight.grid[here])
    end = -tile - 1
    met = -met if end == f else met
    sight.lengths[SIDES * f + d] = met
    sight.lengths[SIDES * end + (away + 3) % SIDES] = met
    return met
