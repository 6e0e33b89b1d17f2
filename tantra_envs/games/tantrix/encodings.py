"""Convert placements to action ids and back, by `opt.encoding`."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .board.hexes import cell_at, find, middle_q, middle_r, put, q_of, r_of
from .board.tiles import EVERY_TURN, nth_rotation, number_of_rotation, rotations
from .material import HAND, ROTATIONS, SIDES
from .state import Encoding

NOWHERE = -1  # outside the window


@kernel
def mark(s: Record, f: int, slot: int, tile: int, first: int, mask: Any) -> bool:
    """Mark the placements of a tile in space `f`, in the block from `first`; return whether there are any."""
    fitting = rotations(tile, int(s.facing[f]))
    if fitting == 0:
        return False
    if s.opt.encoding == Encoding.COMPACT:
        at = first + (f * s.opt.slots + slot) * ROTATIONS
        mask[at] = 1
        mask[at + 1] = s.facing[f] > 0 and fitting & (fitting - 1) != 0  # the first tile of the game has rotation 0
        return True
    place = window_place(s, int(s.border[f])) if s.opt.encoding == Encoding.WINDOW else f
    if place != NOWHERE:
        for rot in range(SIDES):
            mask[first + (place * s.opt.slots + slot) * SIDES + rot] = (fitting >> rot) & 1
    return True


@kernel
def mark_hand(s: Record, f: int, fitting: int, allowed: int, mask: Any) -> None:
    """Mark the placements of the hand in space `f`.

    Args:
        fitting: The tiles that match the space, with the bit 6 * rot + slot for each rotation.
        allowed: Those that also show no banned colour.
    """
    if s.opt.encoding == Encoding.COMPACT:
        if s.facing[f] == 0:
            fitting &= (1 << HAND) - 1  # the first tile of the game has rotation 0
        for slot in range(HAND):
            at = (f * HAND + slot) * ROTATIONS
            turns_of = (fitting >> slot) & EVERY_TURN
            lowest = turns_of & -turns_of
            mask[at] = ((allowed >> slot) & lowest) != 0
            mask[at + 1] = ((allowed >> slot) & (turns_of ^ lowest)) != 0
        return
    place = window_place(s, int(s.border[f])) if s.opt.encoding == Encoding.WINDOW else f
    for slot in range(HAND if place != NOWHERE else 0):
        for rot in range(SIDES):
            mask[(place * HAND + slot) * SIDES + rot] = (allowed >> (HAND * rot + slot)) & 1


@kernel
def lay(s: Record, tile: int, action: int) -> int:
    """Place a tile by an action counted from the start of its block; return the number of tiles that it touches."""
    f = space_of(s, action)
    touched = int(s.touch[f])
    put(s, tile, int(s.border[f]), rotation_of(s, tile, f, action))
    if s.opt.encoding == Encoding.WINDOW:
        s.last = tile
    return touched


@kernel
def action_of(s: Record, f: int, slot: int, tile: int, rot: int) -> int:
    """Return the action of a placement, counted from the start of its block; -1 = none."""
    place, turn = f, rot
    if s.opt.encoding == Encoding.COMPACT:
        turn = number_of_rotation(tile, int(s.facing[f]), rot)
    elif s.opt.encoding == Encoding.WINDOW:
        place = window_place(s, int(s.border[f]))
    return int((place * s.opt.slots + slot) * turns(s) + turn) if place >= 0 and turn >= 0 else -1


@kernel
def turns(s: Record) -> int:
    """Return the number of actions for each tile in a space."""
    return ROTATIONS if s.opt.encoding == Encoding.COMPACT else SIDES


@kernel
def slot_of(s: Record, action: int) -> int:
    """Return the slot of the hand, or the index of the tile in the kit, of an action."""
    return int((action // turns(s)) % s.opt.slots)


@kernel
def space_of(s: Record, action: int) -> int:
    """Return the space of an action; `border_n` or more if the action has no space."""
    place = int(action // (turns(s) * s.opt.slots))
    if s.opt.encoding != Encoding.WINDOW:
        return place
    across, half = int(s.opt.window), s.opt.window // 2
    cell = cell_at(place % across - half + middle_q(s), place // across - half + middle_r(s))
    f = find(s, cell)
    return f if f < s.border_n and s.border[f] == cell else int(s.border_n)


@kernel
def rotation_of(s: Record, tile: int, f: int, action: int) -> int:
    """Return the rotation of a tile in a space, -1 = no rotation for this action."""
    turn = action % turns(s)
    return nth_rotation(tile, int(s.facing[f]), turn) if s.opt.encoding == Encoding.COMPACT else turn


@kernel
def window_place(s: Record, cell: int) -> int:
    """Return y * W + x of a cell in the window round the middle of the box, or NOWHERE outside."""
    across, half = int(s.opt.window), s.opt.window // 2
    x, y = q_of(cell) - middle_q(s) + half, r_of(cell) - middle_r(s) + half
    return y * across + x if 0 <= x < across and 0 <= y < across else NOWHERE
