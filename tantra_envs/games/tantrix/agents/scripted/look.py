"""Prepare the lookups of the scripted agent: lengths of lines, and tiles that fit."""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.compiled.jit import kernel, leaf
from .....core.state import Record, record
from ...board.hexes import STEPS, spot
from ...board.tiles import COLOURED, colour_at, direction_of, fill_rings, linked, opposite, shown
from ...material import COLOURS, HAND, MAX_SPACES, SIDES
from ...state import SPOTS, Mode

HANDS = len(COLOURS)  # seats that hold more than one tile
LOOK = record(
    [
        ("rings", np.int64, (HANDS * COLOURED,)),  # by seat and colour: bit 6 * rot + slot if the tile shows it to NE
        ("counts", np.float64, (COLOURED,)),  # weight of the lines of a colour
        ("counted", np.int32, (HAND,)),  # the sides of the tiles in hand at rotation 0, in colours that count
        ("spaces", np.int16),
        ("colours", np.int8),  # a bit for each colour that counts
        ("owner", np.int8, (COLOURED,)),  # the seat with a colour
        ("lengths", np.int8, (MAX_SPACES * SIDES,)),  # of the lines that leave spaces by their sides, 0 = not followed
        ("space", np.int8, (SPOTS * SPOTS,)),  # the number of a space by its spot; other spots hold arbitrary values
    ]
)


@kernel
def begin_look(s: Record, seat: int, against: float, look: Any) -> None:
    """Store the spaces and hands of a table; lines of `seat` have weight 1.0, those of others `against`.

    `follow_lines` stores the lines, space by space: following all takes long where few placements are legal.
    """
    look.colours = _count_colours(s, seat, against, look)
    for slot in range(HAND):
        look.counted[slot] = _showing_any(shown(int(s.hands[seat, slot]), 0), int(look.colours))
    for holder in range(s.seats):
        fill_rings(look.rings, COLOURED * holder, s.hands[holder])
    look.spaces = 0 if s.over else s.border_n
    for i in range(SIDES * look.spaces):
        look.lengths[i] = 0
    for f in range(look.spaces):
        look.space[spot(int(s.border[f]))] = f


@kernel
def follow_lines(s: Record, look: Any, f: int) -> None:
    """Store the lengths of the lines that leave a space, in the colours that count."""
    left = _showing_any(int(s.facing[f]), int(look.colours))
    while left != 0:
        side = left & -left
        left ^= side
        if length(look, f, direction_of(side)) == 0:
            follow_line(s, look, f, direction_of(side))


@kernel
def _count_colours(s: Record, seat: int, against: float, look: Any) -> int:
    """Store the weight and the owner of each colour; return a bit for each colour with a weight."""
    alone, counted = s.opt.mode == Mode.SOLITAIRE, 0
    for i in range(len(COLOURS)):
        colour = int(s.colours[i])
        if alone:  # all colours count, or the goal
            counts = 1.0 if s.opt.goal == 0 or s.opt.goal == colour else 0.0  # noqa: PLR1714
        else:
            counts = 1.0 if i == seat else against if i < s.seats else 0.0
        look.counts[colour] = counts
        look.owner[colour] = i if i < s.seats else 0
        counted |= int(counts != 0.0) << colour
    return counted


@leaf
def _showing_any(sides: int, colours: int) -> int:
    """Return the lowest bit of every direction that shows one of the colours; `colours` has a bit for each."""
    found = 0
    for d in range(SIDES):
        found |= ((colours >> colour_at(sides, d)) & 1) << (3 * d)
    return found


@leaf
def length(look: Any, f: int, d: int) -> int:
    """Return the length of a line from space `f` in direction `d`; negative if it comes back to the space."""
    return int(look.lengths[SIDES * f + d])


@kernel
def follow_line(s: Record, look: Any, f: int, d: int) -> None:
    """Store the length of a line at both of its ends."""
    met, away = 0, d
    at = s.border[f] + STEPS[d]
    tile = int(s.board[spot(at)])
    while tile > 0:
        met += 1
        away = linked(tile, int(s.rot[tile]), opposite(away))
        at += STEPS[away]
        tile = int(s.board[spot(at)])
    end = int(look.space[spot(at)])
    met = -met if end == f else met
    look.lengths[SIDES * f + d] = met
    look.lengths[SIDES * end + opposite(away)] = met
