"""The lengths of the lines that end at spaces, which the scripted agent asks for again and again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel, leaf
from ....core.state import Record, record
from ..board.hexes import STEPS, spot
from ..board.lines import link
from ..material import COLOURS, SIDES, TILES
from ..state import SPOTS, Mode

UNKNOWN = 127  # longer than any line
LOOK = record(
    [
        ("counts", np.float64, (len(COLOURS) + 1,)),  # how the lines of a colour count for a placement
        ("spaces", np.int16),
        ("owner", np.int8, (len(COLOURS) + 1,)),  # the seat with a colour, -1 = nobody
        ("lengths", np.int8, (SIDES * (TILES + 1),)),  # of the line that leaves a space to enter a tile on a side
        ("space", np.int8, (SPOTS * SPOTS,)),  # the number of a space by its spot; other spots hold anything
    ]
)


@kernel
def look_round(s: Record, seat: int, against: float, look: Any) -> None:
    """Note the spaces of a table, and how lines count for `seat`: own lines 1.0, lines of the others `against`."""
    look.spaces = 0 if s.over else s.border_n
    for f in range(look.spaces):
        look.space[spot(int(s.border[f]))] = f
    for i in range(len(look.lengths)):
        look.lengths[i] = UNKNOWN
    alone = s.opt.mode == Mode.SOLITAIRE
    for i in range(len(COLOURS)):
        colour = int(s.colours[i])
        if alone:  # all colours count, or the goal
            look.counts[colour] = 1.0 if s.opt.goal == 0 or s.opt.goal == colour else 0.0  # noqa: PLR1714
        else:
            look.counts[colour] = 1.0 if i == seat else against if i < s.seats else 0.0
        look.owner[colour] = i if i < s.seats and not alone else -1


@leaf
def opposite(d: int) -> int:
    """Return the direction opposite to `d`."""
    return d + 3 if d < 3 else d - 3


@kernel
def length(s: Record, look: Any, cell: int, d: int) -> int:
    """Return the number of tiles on the line that leaves a space in direction `d`, negative if it comes back to it."""
    tile = int(s.board[spot(cell + STEPS[d])])
    if tile <= 0:
        return 0
    met = int(look.lengths[SIDES * tile + opposite(d)])
    return met if met != UNKNOWN else _follow(s, look, cell, d)


@kernel
def _follow(s: Record, look: Any, cell: int, d: int) -> int:
    """Return the length of a line, and note it for both of its ends."""
    met, away, last, at = 0, d, 0, cell + STEPS[d]
    first = tile = int(s.board[spot(at)])
    while tile > 0:
        met, last = met + 1, tile
        away = link(s, tile, opposite(away))
        at += STEPS[away]
        tile = int(s.board[spot(at)])
    met = -met if at == cell else met
    look.lengths[SIDES * first + opposite(d)] = met
    look.lengths[SIDES * last + away] = met
    return met


@kernel
def link_score(s: Record, look: Any, cell: int, d: int, far: int) -> int:
    """Return the score of the line that a link between two sides of a space makes of those it meets."""
    one, other = length(s, look, cell, d), length(s, look, cell, far)
    return 2 * (1 - one) if one < 0 else 1 + one + other
