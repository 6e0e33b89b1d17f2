"""Strategy and Solitaire as a sensible person plays them, from the view and the mask alone.

Every legal placement gets a value: what it adds to the own lines, less what it adds to those of the others. A line
counts more than its tiles, so that one long line is better than two short ones, and a loop counts double. A space
that shows a colour twice promises to join two lines, and the more so the sooner it must be filled.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel, leaf
from ....core.game import Game
from ....core.state import record
from ..board.tiles import colour_at
from ..material import COLOURS, ROTATIONS, SIDES
from .sight import COLOURED, EVERY_TURN, SEEN, STEPS, direction_of, fitting, length, look, showing, turned

# What things are worth, in tiles of a line.
WORTH: dict[str, float] = {
    "bend": 1.8,  # a line of n tiles is worth n to this power
    "others": 0.5,  # of the value of another seat's line, against the own
    "join": 0.3,  # of what a space would join if a tile with that link came
    "forced": 0.6,  # the same for a space that must be filled
    "held": 0.9,  # the same if the player of that colour holds a tile that fits
    "dead": 0.3,  # of a line whose end runs into a space that shows three other colours
}
LONGEST = 256  # lengths that are asked about: a loop of all tiles counts double
BLOCKS = SEEN  # of the view: where they begin is `at`
WEIGHTS = record(
    [
        *((name, np.float64) for name in WORTH),
        ("points", np.float64, (LONGEST,)),  # the worth of a line by its length
        ("counts", np.float64, (COLOURED,)),  # how the lines of a colour count for a placement
        ("last", np.int64),  # colour whose lines count
    ]
)


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the own score less the best of the others; alone the best of all colours, or the goal."""
    scores = views[:, game.view["scores"].slice].astype(np.float64)
    if game.config["mode"] == "solitaire":
        return np.asarray(scores[:, 0] if game.config["goal"] != "best" else scores.max(axis=1))
    return np.asarray(scores[:, 0] - scores[:, 1:].max(axis=1))


def weights(game: Game) -> npt.NDArray[np.void]:
    """What things are worth at a table, shape (1,): own lines count for a placement and those of others against it."""
    w = np.zeros(1, WEIGHTS)
    for name, worth in WORTH.items():
        w[name] = worth
    w["points"] = [length ** WORTH["bend"] for length in range(LONGEST)]
    w["counts"][0, 1] = 1.0
    if game.config["mode"] == "strategy":
        w["counts"][0, 2 : game.players + 1] = -WORTH["others"] / (game.players - 1)
    elif game.config["goal"] == "best":  # alone all colours count, or the goal
        w["counts"][0, 1 : len(COLOURS) + 1] = 1.0
    w["last"] = np.flatnonzero(w["counts"][0])[-1]
    return w


@kernel
def decide(view: Any, mask: Any, work: Any) -> int:
    """The action of one table: the placement of the highest value, of equals the first."""
    chosen, most = -1, 0.0
    each = look_round(view, work)
    for f in range(work.sight.spaces):
        for i in range(each):
            if mask[each * f + i] == 1:
                worth = value(work, f, i // ROTATIONS, i % ROTATIONS)
                if chosen < 0 or worth > most:
                    chosen, most = each * f + i, worth
    return chosen


@kernel
def rate(view: Any, mask: Any, work: Any, values: Any) -> None:
    """The values of all legal placements; those of others stay."""
    each = look_round(view, work)
    for f in range(work.sight.spaces):
        for i in range(each):
            if mask[each * f + i] == 1:
                values[each * f + i] = value(work, f, i // ROTATIONS, i % ROTATIONS)


@kernel
def look_round(view: Any, work: Any) -> int:
    """Lay out what a seat sees; how many actions there are for each space."""
    each = ROTATIONS * int(work.opt.slots)
    look(view, work.at, int(work.seats), int(work.opt.slots), work.opt.placements // each, work.sight)
    return each


@kernel
def value(work: Any, f: int, slot: int, j: int) -> float:
    """What a placement is worth, in tiles of a line."""
    sides, facing = turned(work.sight, f, slot, j), int(work.sight.facing[f])
    worth, left = 0.0, _counted(work, sides)
    while left != 0:
        side = left & -left
        left ^= side
        d = direction_of(side)
        colour = colour_at(sides, d)
        far = direction_of(showing(sides, colour) ^ side)
        counts = work.w.counts[colour]
        if far > d:
            worth += counts * _joined(work, f, d, far)
        if colour_at(facing, d) == 0:
            worth += counts * promise(work, f, d, far, colour, slot)
    return worth


@kernel
def _counted(work: Any, sides: int) -> int:
    """The lowest bit of every direction that shows a colour whose lines count."""
    counted = 0
    for colour in range(1, COLOURED):
        counted |= showing(sides, colour) if colour <= work.w.last else 0
    return counted


@kernel
def _joined(work: Any, f: int, d: int, far: int) -> float:
    """What a link between sides `d` and `far` of a new tile makes of the lines it meets."""
    one, other = length(work.sight, f, d), length(work.sight, f, far)
    if one < 0:
        return _points(work, 2 - 2 * one) - _points(work, -one)  # a loop
    return _points(work, 1 + one + other) - _points(work, one) - _points(work, other)


@leaf
def _points(work: Any, length: int) -> float:
    return float(work.w.points[length])


@kernel
def promise(work: Any, f: int, d: int, far: int, colour: int, slot: int) -> float:
    """What the empty space beside a new tile may do for the line that runs into it, from side `far` to side `d`."""
    sight, w = work.sight, work.w
    space = -1 - int(sight.grid[sight.cell[f] + STEPS[d]])
    if space < 0:
        return 0.0
    touching, alike = 1 + int(sight.touch[space]), showing(int(sight.facing[space]), colour)
    own = 1 + abs(length(sight, f, far))
    if alike & (alike - 1) != 0 or (alike == 0 and touching > 3):
        return -float(w.dead) * _points(work, own)
    if alike == 0:
        return 0.0
    other = abs(length(sight, space, direction_of(alike)))
    joins = _points(work, own + 1 + other) - _points(work, own) - _points(work, other)
    if _holds_fitting(work, colour - 1, slot, int(sight.facing[space]) | colour << (3 * ((d + 3) % SIDES))):
        return float(joins * w.held)
    return float(joins * (w.forced if touching > 2 else w.join))


@kernel
def _holds_fitting(work: Any, seat: int, used: int, facing: int) -> bool:
    """Does the player of a colour hold a tile, other than the one just placed, that fits where sides are shown?"""
    if seat >= work.seats:
        return False
    tiles = fitting(work.sight, seat, facing)
    return (tiles & ~(EVERY_TURN << used) if seat == 0 else tiles) != 0
