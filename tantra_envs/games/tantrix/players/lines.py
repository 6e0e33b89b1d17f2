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
from ..material import ROTATIONS, SIDES, TILES
from ..state import Mode
from ..view import BOARD, SLOT

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
WEIGHTS = record([*((name, np.float64) for name in WORTH), ("points", np.float64, (LONGEST,))])
GRID = 64  # the view's board, with the middle of the box in its middle
BLOCKS = ("cells", "cell_facing", "board", "hands")  # of the view: where they begin is `at`
STARTS, DRAWN = len(BLOCKS), 2 * SIDES  # room for the starts of the blocks, and for the sides of a tile and a space
STEPS = (1 - GRID, 1, GRID, GRID - 1, -1, -GRID)  # to the neighbour in each direction


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the own score less the best of the others; alone the best of all colours, or the goal."""
    scores = views[:, game.view["scores"].slice].astype(np.float64)
    if game.config["mode"] == "solitaire":
        return np.asarray(scores[:, 0] if game.config["goal"] != "best" else scores.max(axis=1))
    return np.asarray(scores[:, 0] - scores[:, 1:].max(axis=1))


@kernel
def decide(rules: Any, at: Any, view: Any, mask: Any, w: Any, grid: Any, sides: Any) -> int:
    """The action of one table: the placement of the highest value, of equals the first."""
    chosen, most = -1, 0.0
    lay_out(view, at[2], grid, 1)
    for action in range(len(mask)):
        if mask[action] == 1:
            worth = value(rules, at, view, action, w, grid, sides)
            if chosen < 0 or worth > most:
                chosen, most = action, worth
    lay_out(view, at[2], grid, 0)
    return chosen


@kernel
def lay_out(view: Any, board: int, grid: Any, lying: int) -> None:
    """Put the numbers of all tiles on the grid, or take them away again."""
    for tile in range(TILES):
        if view[board + BOARD * tile] > 0:
            q, r = int(view[board + BOARD * tile + 1]), int(view[board + BOARD * tile + 2])
            grid[cell_of(q, r)] = (tile + 1) * lying


@leaf
def cell_of(q: int, r: int) -> int:
    """Where a cell of the view lies on the grid."""
    return (r + GRID // 2) * GRID + q + GRID // 2


@kernel
def value(rules: Any, at: Any, view: Any, action: int, w: Any, grid: Any, sides: Any) -> float:
    """What a placement is worth, in tiles of a line."""
    slots = int(rules.opt.slots)
    f, slot, j = action // (slots * ROTATIONS), (action // ROTATIONS) % slots, action % ROTATIONS
    cell = cell_of(int(view[at[0] + 2 * f]), int(view[at[0] + 2 * f + 1]))
    turn(view, at[1] + SIDES * f, at[3] + SLOT * slot + 1, j, sides)
    worth = 0.0
    for d in range(SIDES):
        side = int(sides[d])
        counts = weight(rules, side, w)
        if counts != 0.0:
            for far in range(d + 1, SIDES):
                if sides[far] == side:
                    worth += counts * _joined(view, at[2], grid, cell, d, far, w)
            if grid[cell + STEPS[d]] == 0:
                worth += counts * promise(rules, at, view, grid, cell, d, slot, sides, w)
    return worth


@kernel
def turn(view: Any, facing: int, tile: int, j: int, sides: Any) -> bool:
    """The sides of a tile of the hand in the j-th rotation that matches a space, if there is one."""
    for rot in range(SIDES):
        fitting = 1
        for d in range(SIDES):
            shown = view[tile + (d - rot) % SIDES]
            if view[facing + d] > 0 and view[facing + d] != shown:
                fitting = 0
        j -= fitting
        if fitting == 1 and j < 0:
            for d in range(SIDES):
                sides[d] = int(view[tile + (d - rot) % SIDES])
            return True
    return False


@kernel
def weight(rules: Any, colour: int, w: Any) -> float:
    """Own lines count for a placement and those of others against it; alone all colours count, or the goal."""
    if colour == 1 or (rules.opt.mode == Mode.SOLITAIRE and rules.opt.goal == 0):
        return 1.0
    return -w.others / (rules.seats - 1) if rules.opt.mode == Mode.STRATEGY and colour <= rules.seats else 0.0


@kernel
def _joined(view: Any, board: int, grid: Any, cell: int, d: int, far: int, w: Any) -> float:
    """What a link between sides `d` and `far` of a new tile makes of the lines it meets."""
    one, other = follow(view, board, grid, cell, d), follow(view, board, grid, cell, far)
    if one < 0:
        return _points(-2.0 * (one - 1), w) - _points(-1.0 * one, w)  # a loop
    return _points(1.0 + one + other, w) - _points(1.0 * one, w) - _points(1.0 * other, w)


@leaf
def _points(length: float, w: Any) -> float:
    return float(w.points[int(length)])


@kernel
def follow(view: Any, board: int, grid: Any, cell: int, d: int) -> int:
    """Tiles on the line that leaves `cell` in direction `d`; negative if it comes back to it."""
    met, here, away = 0, cell + STEPS[d], d
    while grid[here] > 0:
        met += 1
        sides = board + BOARD * (int(grid[here]) - 1) + 3
        away = _out(view, sides, (away + 3) % SIDES)
        here += STEPS[away]
        if here == cell:
            return -met
    return met


@kernel
def _out(view: Any, sides: int, entry: int) -> int:
    """Where the link that enters a tile on one side leaves it."""
    out = entry
    for d in range(SIDES):
        if d != entry and view[sides + d] == view[sides + entry]:
            out = d
    return out


@kernel
def promise(rules: Any, at: Any, view: Any, grid: Any, cell: int, d: int, slot: int, sides: Any, w: Any) -> float:
    """What the empty space beside a new tile may do for the line that runs into it.

    The last six entries of `sides` keep the colours shown to that space.
    """
    board, space, colour = int(at[2]), cell + STEPS[d], int(sides[d])
    own = 0.0
    for far in range(SIDES):
        if far != d and sides[far] == colour:
            own = 1.0 + abs(follow(view, board, grid, cell, far))
    touching, alike, joins = 1, 0, 0.0
    for side in range(SIDES):
        beside = space + STEPS[side]
        tile = int(grid[beside])
        sides[SIDES + side] = colour if beside == cell else 0
        if tile > 0:
            touching += 1
            shown = (side + 3) % SIDES
            sides[SIDES + side] = int(view[board + BOARD * (tile - 1) + 3 + shown])
            if sides[SIDES + side] == colour:
                alike += 1
                behind = _out(view, board + BOARD * (tile - 1) + 3, shown)
                other = 1.0 + abs(follow(view, board, grid, beside, behind))
                joins = _points(own + 1.0 + other, w) - _points(own, w) - _points(other, w)
    if alike == 1 and _holds_fitting(rules, view, int(at[3]), colour - 1, slot, sides):
        return float(joins * w.held)
    if alike == 1:
        return float(joins * (w.forced if touching > 2 else w.join))
    return -float(w.dead) * _points(own, w) if alike > 1 or touching > 3 else 0.0


@kernel
def _holds_fitting(rules: Any, view: Any, hands: int, seat: int, used: int, sides: Any) -> bool:
    """Does the player of a colour hold a tile, other than the one just placed, that fits the space?"""
    found = 0
    for slot in range(rules.opt.slots if seat < rules.seats else 0):
        tile = hands + SLOT * (rules.opt.slots * seat + slot)
        if view[tile] > 0 and (seat > 0 or slot != used):
            for rot in range(SIDES):
                fitting = 1
                for d in range(SIDES):
                    if sides[SIDES + d] > 0 and sides[SIDES + d] != view[tile + 1 + (d - rot) % SIDES]:
                        fitting = 0
                found += fitting
    return found > 0


def _standard() -> npt.NDArray[np.void]:
    """What things are worth, and the worth of a line by its length, which is asked for more often than it changes."""
    weights = np.zeros(1, WEIGHTS)
    for name, worth in WORTH.items():
        weights[name] = worth
    weights["points"] = [length ** WORTH["bend"] for length in range(LONGEST)]
    return weights


STANDARD = _standard()
