"""What a seat sees of tiles, spaces and hands, laid out so that lines can be followed and tiles tried.

Colours are those of the view: 1 = the own one. The six sides of a tile or space are one number, three bits a direction.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel, leaf
from ....core.state import record
from ..board.tiles import LOW_BITS, colour_at, lit, matches
from ..material import COLOURS, HAND, SIDES, STRATEGY_SPACES, TILES
from ..view import BOARD, SLOT

BLOCKS = ("cells", "cell_facing", "cell_touch", "board", "hands")  # of the view: where they begin is `at`
GRID = 64  # the view's board, with the middle of the box in its middle
STEPS = np.array([1 - GRID, 1, GRID, GRID - 1, -1, -GRID])  # to the neighbour in each direction
COLOURED = len(COLOURS) + 1  # numbers of colours, 0 = none
HANDS = len(COLOURS)  # seats that hold more than one tile
TURN = 3 * SIDES  # bits of six sides
RING = HAND * SIDES  # bits of the slots that show a colour, by side
EVERY_SIDE = sum(1 << HAND * side for side in range(SIDES))  # of the first slot

SIGHT = record(
    [
        ("showing", np.int64, (HANDS * COLOURED,)),  # seat, colour: bit 6 * side + slot of the tiles that show it there
        ("cell", np.int32, (STRATEGY_SPACES,)),  # where each space lies on the grid
        ("facing", np.int32, (STRATEGY_SPACES,)),  # the sides shown to it
        ("sides", np.int32, (TILES + 1,)),  # of the placed tiles
        ("hand", np.int32, (HAND,)),  # sides of the own tiles, not turned
        ("spaces", np.int16),
        ("touch", np.int8, (STRATEGY_SPACES,)),  # tiles round a space
        ("lengths", np.int8, (STRATEGY_SPACES * SIDES,)),  # of the line that leaves a space on a side, 0 = not known
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
        sight.grid[sight.cell[f]] = -f - 1
        f += 1
    sight.spaces = f
    for i in range(SIDES * f):
        sight.lengths[i] = 0


@kernel
def _look_at_hand(view: Any, hand: int, slots: int, first: int, sight: Any) -> None:
    for colour in range(COLOURED):
        sight.showing[first + colour] = 0
    for slot in range(slots):
        for side in range(SIDES):
            colour = int(view[hand + SLOT * slot + 1 + side])
            sight.showing[first + colour] |= 1 << (HAND * side + slot)


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
    """The sides of an own tile in the j-th rotation that matches a space, 0 = there is none."""
    tile, facing = int(sight.hand[slot]), int(sight.facing[f])
    for rot in range(SIDES):
        sides = ((tile << (3 * rot)) | (tile >> (TURN - 3 * rot))) & ((1 << TURN) - 1)
        if matches(sides, facing):
            if j == 0:
                return sides
            j -= 1
    return 0


@kernel
def fitting(sight: Any, seat: int, facing: int) -> int:
    """Which tiles of a hand fit where sides are shown, at least one: bit 6 * turn + slot of those that do."""
    tiles = (1 << RING) - 1
    for d in range(SIDES):
        colour = colour_at(facing, d)
        if colour > 0:
            ring = sight.showing[COLOURED * seat + colour]
            tiles &= (ring >> (HAND * d)) | (ring << (RING - HAND * d))
    return tiles


# [Lines]


@kernel
def length(sight: Any, f: int, d: int) -> int:
    """Tiles on the line that leaves a space in direction `d`; negative if it comes back to it."""
    if colour_at(int(sight.facing[f]), d) == 0:
        return 0
    known = int(sight.lengths[SIDES * f + d])
    return known if known != 0 else _follow(sight, f, d)


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
