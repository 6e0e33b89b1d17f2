"""Strategy and Solitaire by the concealed record and the mask.

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
from ....core.state import Record, States, record
from ..board.hexes import STEPS, spot
from ..board.tiles import LOW_BITS, colour_at, linked, nth_rotation, shown
from ..material import COLOURS, HAND, ROTATIONS, SIDES, TILES
from .look import direction_of, fitting, length, look_round, opposite, showing

# What things are worth, in tiles of a line.
WORTH: dict[str, float] = {
    "bend": 1.8,  # a line of n tiles is worth n to this power
    "others": 0.5,  # of the value of another seat's line, against the own
    "join": 0.3,  # of what a space would join if a tile with that link came
    "forced": 0.6,  # the same for a space that must be filled
    "held": 0.9,  # the same if the player of that colour holds a tile that fits
    "dead": 0.3,  # of a line whose end runs into a space that shows three other colours
}
EVERY_TURN = sum(1 << HAND * rot for rot in range(SIDES))  # of the first slot
LONGEST = 256  # lengths that are asked about: a loop of all tiles counts double
WEIGHTS = record(
    [
        ("dead", np.float64),
        ("shares", np.float64, (4,)),  # of what a space would join: of most, of forced ones, twice of those held for
        ("points", np.float64, (LONGEST,)),  # the worth of a line by its length
        ("against", np.float64),  # how the lines of each other seat count
    ]
)


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the own score less the best of the others; alone the best of all colours, or the goal."""
    n = len(COLOURS) - 1 if game.config["mode"] == "solitaire" else game.players
    scores = shares(np.take_along_axis(known["best"], known["colours"][:, :n].astype(np.int64), axis=1))
    if game.config["mode"] == "solitaire":
        return np.asarray(scores[:, 0] if game.config["goal"] != "best" else scores.max(axis=1))
    return np.asarray(scores[:, 0] - scores[:, 1:].max(axis=1))


def shares(numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return numbers as shares of all tiles, rounded as in observations."""
    return (numbers.astype(np.float32) / np.float32(TILES)).astype(np.float64)


def weights(game: Game) -> npt.NDArray[np.void]:
    """Return what things are worth at a table, shape (1,)."""
    w = np.zeros(1, WEIGHTS)
    w["dead"], w["shares"] = WORTH["dead"], [WORTH[name] for name in ("join", "forced", "held", "held")]
    w["points"] = [length ** WORTH["bend"] for length in range(LONGEST)]
    w["against"] = -WORTH["others"] / max(1, game.players - 1)
    return w


@kernel
def decide(s: Record, mask: Any, work: Any) -> int:
    """Return the placement of the highest value to the deciding seat, of equal ones the first."""
    chosen, most = -1, 0.0
    each = ROTATIONS * int(s.opt.slots)
    look_round(s, int(s.seat), work.w.against, work.look)
    for f in range(work.look.spaces):
        for i in range(each):
            if mask[each * f + i] == 1:
                worth = value(s, work, f, i // ROTATIONS, i % ROTATIONS)
                if chosen < 0 or worth > most:
                    chosen, most = each * f + i, worth
    return chosen


@kernel
def rate(s: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the values of all legal placements; those of others stay."""
    each = ROTATIONS * int(s.opt.slots)
    look_round(s, int(s.seat), work.w.against, work.look)
    for f in range(work.look.spaces):
        for i in range(each):
            if mask[each * f + i] == 1:
                values[each * f + i] = value(s, work, f, i // ROTATIONS, i % ROTATIONS)


@kernel
def value(s: Record, work: Any, f: int, slot: int, j: int) -> float:
    """Return what a placement is worth to the deciding seat, in tiles of a line."""
    tile, cell = int(s.hands[s.seat, slot]), int(s.border[f])
    rot = nth_rotation(tile, int(s.facing[f]), j)
    sides, worth = shown(tile, rot), 0.0
    left = (int(work.look.counted[slot]) << 3 * rot) | (int(work.look.counted[slot]) >> (3 * SIDES - 3 * rot))
    left &= LOW_BITS
    while left != 0:
        side = left & -left
        left ^= side
        d = direction_of(side)
        far, colour = linked(tile, rot, d), colour_at(sides, d)
        if far > d:
            worth += work.look.counts[colour] * _joined(work, f, d, far)
        if s.board[spot(cell + STEPS[d])] < 0:
            worth += work.look.counts[colour] * _promise(s, work, f, d, far, colour, slot)
    return worth


@leaf
def _joined(work: Any, f: int, d: int, far: int) -> float:
    """Return the worth of what a link between sides `d` and `far` of a new tile makes of the lines it meets."""
    one, other = length(work.look, f, d), length(work.look, f, far)
    loop = int(one < 0)
    score = 1 + abs(one) + abs(other) + loop
    return float(work.w.points[score] - work.w.points[abs(one)] - work.w.points[abs(other) * (1 - loop)])


@kernel
def _promise(s: Record, work: Any, f: int, d: int, far: int, colour: int, slot: int) -> float:
    """Return what the space beside a new tile may do for the line that runs into it, from side `far` to side `d`."""
    look, points = work.look, work.w.points
    space = int(look.space[spot(s.border[f] + STEPS[d])])
    facing, touch = int(s.facing[space]), int(s.touch[space])
    own, alike = 1 + abs(length(look, f, far)), showing(facing, colour)
    if alike == 0:
        return float(-int(touch > 2) * work.w.dead * points[own])
    if alike & (alike - 1) != 0:
        return float(-work.w.dead * points[own])
    other, owner = abs(length(look, space, direction_of(alike))), int(look.owner[colour])
    used = EVERY_TURN << slot if owner == s.seat else 0
    held = int(fitting(look, owner, facing | colour << (3 * opposite(d))) & ~used != 0)
    share = work.w.shares[2 * held + int(touch > 1)]
    return float(share * (points[own + 1 + other] - points[own] - points[other]))
