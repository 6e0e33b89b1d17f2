"""Follow lines and loops [D7] through a tile and score them."""

from __future__ import annotations

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..material import SIDES
from .hexes import STEPS, spot
from .tiles import colour_at, linked, shown


@kernel
def score_lines(s: Record, tile: int) -> None:
    """Update `s.best` with the lines or loops through a new tile; their scores never decrease."""
    sides = shown(tile, int(s.rot[tile]))
    for d in range(SIDES):
        far = link(s, tile, d)
        if d < far:
            ahead = follow(s, tile, d)
            loop = comes_back(s, tile, d, ahead)
            score = int(s.opt.loop_factor) * (1 + ahead) if loop else 1 + ahead + follow(s, tile, far)
            colour = colour_at(sides, d)
            s.best[colour] = max(int(s.best[colour]), score)


@kernel
def link(s: Record, tile: int, d: int) -> int:
    """Return the direction in which the link from side `d` of a placed tile leaves it."""
    return linked(tile, int(s.rot[tile]), d)


@kernel
def follow(s: Record, tile: int, d: int) -> int:
    """Return the number of tiles on the line that leaves `tile` in direction `d`, until it ends or comes back."""
    met = 0
    at, away = int(s.cell[tile]), d
    while True:
        at += STEPS[away]
        other = int(s.board[spot(at)])
        if other <= 0 or other == tile:
            return met
        met += 1
        away = link(s, other, (away + 3) % SIDES)


@kernel
def comes_back(s: Record, tile: int, d: int, steps: int) -> bool:
    """Return whether the line that leaves `tile` in direction `d` reaches it again after `steps` other tiles."""
    at, away = int(s.cell[tile]) + STEPS[d], d
    for _ in range(steps):
        other = int(s.board[spot(at)])
        away = link(s, other, (away + 3) % SIDES)
        at += STEPS[away]
    return steps > 0 and at == s.cell[tile]
