"""Follow lines and loops [D7] through a tile and score them."""

from __future__ import annotations

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..material import SIDES
from .hexes import STEPS, spot
from .tiles import colour_at, linked, opposite, shown


@kernel
def score_lines(s: Record, tile: int) -> None:
    """Update `s.best` with the lines or loops through a new tile; their scores never decrease."""
    cell, sides = int(s.cell[tile]), shown(tile, int(s.rot[tile]))
    for d in range(SIDES):
        far = link(s, tile, d)
        if d < far:
            ahead = follow(s, cell, d)
            score = int(s.opt.loop_factor) * (1 - ahead) if ahead < 0 else 1 + ahead + follow(s, cell, far)
            colour = colour_at(sides, d)
            s.best[colour] = max(int(s.best[colour]), score)


@kernel
def link(s: Record, tile: int, d: int) -> int:
    """Return the direction in which the link from side `d` of a placed tile leaves it."""
    return linked(tile, int(s.rot[tile]), d)


@kernel
def follow(s: Record, cell: int, d: int) -> int:
    """Return the length of the line that leaves a cell in direction `d`; negative if it comes back to the cell."""
    met, away, at = 0, d, cell + int(STEPS[d])
    tile = int(s.board[spot(at)])
    while tile > 0 and at != cell:
        met += 1
        away = linked(tile, int(s.rot[tile]), opposite(away))
        at += int(STEPS[away])
        tile = int(s.board[spot(at)])
    return -met if at == cell else met
