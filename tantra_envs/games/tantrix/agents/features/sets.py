"""Sets of tiles as numbers: bit `tile - 1` for each tile."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .....core.compiled.jit import kernel
from ...board.tiles import COLOURED, HALF
from ...material import COLOURS, SHOWING, SIDES, TILES

MASK = (1 << HALF) - 1  # three sides


def _three_sides() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return by 512 * rot + three sides the tiles that show these sides to the first three directions with `rot`."""
    bits = 1 << np.arange(TILES, dtype=np.int64)
    shows = SHOWING.reshape(TILES + 1, SIDES, -1)[1:]
    sets = np.zeros((SIDES, 8, 8, 8), np.int64)  # by rotation and by the colours towards directions 2, 1, 0
    n = len(COLOURS) + 1
    for rot in range(SIDES):
        one = ((shows >> rot & 1) * bits[:, None, None]).sum(axis=0)  # by direction and colour
        sets[rot, :n, :n, :n] = one[2][:, None, None] & one[1][:, None] & one[0]
    return sets.reshape(-1)


THREE_SIDES = _three_sides()
POWERS = np.array([COLOURED**d for d in range(SIDES)])  # a code is the sum of colour * POWERS[d] over the sides shown


def _codes() -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return by three sides their part of a code; sides that nothing shows are 0."""
    digits = np.arange(MASK + 1)[:, None] >> np.array([0, 3, 6]) & 7
    return np.asarray((digits * POWERS[:3]).sum(axis=1) * (digits < COLOURED).all(axis=1), np.int16)


CODES = _codes()


@functools.cache
def sets_by_code() -> np.ndarray[Any, np.dtype[np.int64]]:
    """Return by code the tiles that match a space in some rotation, as `matching` does."""
    bits = 1 << np.arange(TILES, dtype=np.int64)
    shows = SHOWING.reshape(TILES + 1, SIDES, COLOURED)[1:]
    sets = np.zeros((COLOURED,) * SIDES, np.int64)  # the last axis is direction 0
    for rot in range(SIDES):
        of_sides = ((shows >> rot & 1) * bits[:, None, None]).sum(axis=0)  # by direction and colour
        sets |= functools.reduce(np.bitwise_and, np.ix_(*of_sides[::-1]))
    return sets.reshape(-1)


@kernel
def matching(facing: int) -> int:
    """Return the tiles that match a space in some rotation."""
    ahead, behind, tiles = facing & MASK, facing >> HALF, 0
    for rot in range(3):
        one, other = (MASK + 1) * rot, (MASK + 1) * (rot + 3)  # three more turns show the other three sides
        tiles |= THREE_SIDES[one | ahead] & THREE_SIDES[other | behind]
        tiles |= THREE_SIDES[other | ahead] & THREE_SIDES[one | behind]
    return int(tiles)


@kernel
def code_of(facing: int) -> int:
    """Return the code of the sides shown to a space."""
    return int(CODES[facing & MASK]) + int(POWERS[3]) * int(CODES[facing >> HALF])


@kernel
def size(tiles: int) -> int:
    """Return the number of tiles in a set."""
    tiles -= (tiles >> 1) & 0x5555555555555555
    tiles = (tiles & 0x3333333333333333) + ((tiles >> 2) & 0x3333333333333333)
    tiles = (tiles + (tiles >> 4)) & 0x0F0F0F0F0F0F0F0F
    tiles += tiles >> 8
    tiles += tiles >> 16
    return (tiles + (tiles >> 32)) & 127


@kernel
def set_of(tiles: Any) -> int:
    """Return the set of the tiles in an array, which may hold zeros."""
    found = 0
    for i in range(len(tiles)):
        found |= (1 << int(tiles[i])) >> 1
    return found
