"""Compare a tile with a space; six colours are packed into one number, three bits for each direction."""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel, leaf
from ..material import COLOURS, FITTING, HAND, LINK, RINGS, ROTATIONS, SHOWN, SIDES

LOW_BITS = 0o111111  # the lowest bit of each direction
HALF = 9  # bits of three sides
COLOURED = len(COLOURS) + 1  # numbers of colours; 0 = none
BITS = HAND * SIDES  # a bit for each slot of a hand in each rotation: 6 * rot + slot
EVERY_TURN = sum(1 << HAND * rot for rot in range(SIDES))  # a bit for each rotation of the first slot


@leaf
def shown(tile: int, rot: int) -> int:
    """Return the sides of a tile with a rotation."""
    return int(SHOWN[SIDES * tile + rot])


@leaf
def linked(tile: int, rot: int, d: int) -> int:
    """Return the direction in which the link from side `d` of a tile with a rotation leaves it."""
    return int(LINK[SIDES * (SIDES * tile + rot) + d])


@leaf
def colour_at(sides: int, d: int) -> int:
    """Return the colour towards direction `d`, 0 = none."""
    return (sides >> (3 * d)) & 7


@leaf
def lit(sides: int) -> int:
    """Return the lowest bit of every direction whose colour is not zero."""
    return (sides | (sides >> 1) | (sides >> 2)) & LOW_BITS


@leaf
def opposite(d: int) -> int:
    """Return the direction opposite to `d`."""
    return d + 3 if d < 3 else d - 3


@leaf
def showing(sides: int, colour: int) -> int:
    """Return the lowest bit of every direction that shows a colour."""
    return LOW_BITS & ~lit(sides ^ (colour * LOW_BITS))


@leaf
def direction_of(bit: int) -> int:
    """Return the direction of a bit returned by `showing`, from its binary digits."""
    return ((bit & 0o101010) != 0) + 2 * ((bit & 0o001100) != 0) + 4 * ((bit & 0o110000) != 0)


@leaf
def matches(sides: int, facing: int) -> bool:
    """Return whether all touching sides have equal colours [D3]."""
    return (lit(sides ^ facing) & lit(facing)) == 0


@leaf
def clashes(sides: int, banned: int) -> bool:
    """Return whether a side shows the colour banned in its direction."""
    return (lit(banned) & ~lit(sides ^ banned)) != 0


@leaf
def rotations(tile: int, facing: int) -> int:
    """Return a bit for each rotation in which a tile matches a space [D3]."""
    ahead = int(FITTING[(tile << HALF) | (facing & ((1 << HALF) - 1))])
    behind = int(FITTING[(tile << HALF) | (facing >> HALF)])  # as if the tile had three more turns
    return ahead & ((behind >> 3) | ((behind << 3) & 0o70))


@leaf
def nth_rotation(tile: int, facing: int, j: int) -> int:
    """Return the j-th rotation that matches a space, -1 = none; a space without neighbours allows only 0."""
    fitting = rotations(tile, facing) if facing > 0 else 1
    low = fitting & -fitting
    turn = low if j == 0 else fitting ^ low  # at most two rotations match
    return -1 if turn == 0 else ((turn & 0b101010) != 0) + 2 * ((turn & 0b001100) != 0) + 4 * ((turn & 0b110000) != 0)


@kernel
def number_of_rotation(tile: int, facing: int, rot: int) -> int:
    """Return the j for which `rot` is the j-th matching rotation, -1 = `rot` does not match."""
    for j in range(ROTATIONS):
        if nth_rotation(tile, facing, j) == rot:
            return j
    return -1


@kernel
def fits(tile: int, facing: int) -> bool:
    """Return whether a tile matches a space in some rotation [D5]."""
    return rotations(tile, facing) != 0


# A hand in all rotations at once: five rings by colour, with the bit 6 * rot + slot of every tile that shows it to NE


@kernel
def fill_rings(rings: Any, first: int, hand: Any) -> None:
    """Fill in the rings of a hand from index `first` on. The ring of colour 0, an empty side, has all tiles."""
    for colour in range(COLOURED):
        rings[first + colour] = 0
    for slot in range(HAND):
        tile = int(hand[slot])
        if tile > 0:
            rings[first] |= EVERY_TURN << slot
            for colour in range(1, COLOURED):
                rings[first + colour] |= int(RINGS[COLOURED * tile + colour]) << slot


@leaf
def turned_ring(rings: Any, first: int, sides: int, d: int) -> int:
    """Return the tiles of a hand that show the colour of `sides` towards direction `d`; higher bits are arbitrary."""
    ring = int(rings[first + ((sides >> (3 * d)) & 7)])
    return (ring << (HAND * d)) | (ring >> (BITS - HAND * d))


@kernel
def fitting(rings: Any, first: int, facing: int) -> int:
    """Return the tiles of a hand that match the sides shown, in which rotations: bit 6 * rot + slot."""
    tiles = int(rings[first])
    for d in range(SIDES):
        tiles &= turned_ring(rings, first, facing, d)
    return tiles


@kernel
def without_banned(rings: Any, tiles: int, banned: int) -> int:
    """Return those `tiles` of the hand at index 0 that show no banned colour."""
    for d in range(SIDES):
        if colour_at(banned, d) > 0:
            tiles &= ~turned_ring(rings, 0, banned, d)
    return tiles
