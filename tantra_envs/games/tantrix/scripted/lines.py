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
from ..board.tiles import LOW_BITS, colour_at, linked, lit, nth_rotation, rotations, shown
from ..material import COLOURS, HAND, ROTATIONS, SIDES, TILES
from .lengths import length, look_round, opposite

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
WEIGHTS = record(
    [
        *((name, np.float64) for name in WORTH),
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
    for name, worth in WORTH.items():
        w[name] = worth
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
    tile, cell, facing = int(s.hands[s.seat, slot]), int(s.border[f]), int(s.facing[f])
    rot = nth_rotation(tile, facing, j)
    sides, worth = shown(tile, rot), 0.0
    for d in range(SIDES):
        colour = colour_at(sides, d)
        counts = work.look.counts[colour]
        if counts != 0.0:
            far = linked(tile, rot, d)
            if far > d:
                worth += counts * _joined(s, work, cell, d, far)
            if colour_at(facing, d) == 0:
                worth += counts * _promise(s, work, cell, d, far, colour, slot)
    return worth


@kernel
def _joined(s: Record, work: Any, cell: int, d: int, far: int) -> float:
    """Return the worth of what a link between sides `d` and `far` of a new tile makes of the lines it meets."""
    one, other = length(s, work.look, cell, d), length(s, work.look, cell, far)
    if one < 0:
        return _points(work, 2 - 2 * one) - _points(work, -one)  # a loop
    return _points(work, 1 + one + other) - _points(work, one) - _points(work, other)


@leaf
def _points(work: Any, length: int) -> float:
    return float(work.w.points[length])


@kernel
def _promise(s: Record, work: Any, cell: int, d: int, far: int, colour: int, slot: int) -> float:
    """Return what the space beside a new tile may do for the line that runs into it, from side `far` to side `d`."""
    beside, look, w = cell + STEPS[d], work.look, work.w
    if s.board[spot(beside)] == 0:
        return 0.0
    space = int(look.space[spot(beside)])
    facing = int(s.facing[space])
    touching, alike = 1 + int(s.touch[space]), showing(facing, colour)
    own = 1 + abs(length(s, look, cell, far))
    if alike & (alike - 1) != 0 or (alike == 0 and touching > 3):
        return -float(w.dead) * _points(work, own)
    if alike == 0:
        return 0.0
    other = abs(length(s, look, beside, direction_of(alike)))
    joins = _points(work, own + 1 + other) - _points(work, own) - _points(work, other)
    owner = int(look.owner[colour])
    used = slot if owner == s.seat else HAND
    if owner >= 0 and holds_fitting(s, owner, facing | colour << (3 * opposite(d)), used):
        return float(joins * w.held)
    return float(joins * (w.forced if touching > 2 else w.join))


@kernel
def holds_fitting(s: Record, seat: int, facing: int, used: int) -> bool:
    """Return whether a seat holds a tile that fits where sides are shown, other than that of the slot `used`."""
    for slot in range(HAND):
        tile = int(s.hands[seat, slot])
        if tile > 0 and slot != used and rotations(tile, facing) != 0:
            return True
    return False


@leaf
def showing(sides: int, colour: int) -> int:
    """Return the lowest bit of every direction that shows a colour."""
    return LOW_BITS & ~lit(sides ^ (colour * LOW_BITS))


@leaf
def direction_of(bit: int) -> int:
    """Return the direction of one such bit, put together from its binary digits."""
    return ((bit & 0o101010) != 0) + 2 * ((bit & 0o001100) != 0) + 4 * ((bit & 0o110000) != 0)
