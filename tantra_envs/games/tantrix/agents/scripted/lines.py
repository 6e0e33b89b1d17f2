"""Play Strategy and Solitaire from the concealed record and the mask.

Every legal placement gets a value: the gain in the lines of the seat, minus the weighted gain in the lines of the
others. The value of a line grows faster than its length, so one long line is better than two short ones. A loop counts
double. A space that shows a colour twice can join two lines, and more probably so if it must be filled soon.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .....core.compiled.drivers import ones
from .....core.compiled.jit import kernel, leaf
from .....core.game import Game
from .....core.state import Record, States, record
from ...board.hexes import STEPS, spot
from ...board.tiles import (
    COLOURED,
    EVERY_TURN,
    LOW_BITS,
    colour_at,
    direction_of,
    fitting,
    linked,
    nth_rotation,
    opposite,
    showing,
    shown,
)
from ...material import COLOURS, ROTATIONS, SIDES, TILES
from .look import begin_look, follow_line, follow_lines, length

# Values, in tiles of a line.
WORTH: dict[str, float] = {
    "bend": 1.8,  # exponent of the length: a line of n tiles has the value n ** bend
    "others": 0.5,  # weight of another seat's line; a line of the seat itself has weight 1
    "join": 0.3,  # weight of the lines that a space would join if a tile with that link came
    "forced": 0.6,  # weight of such lines at a space that must be filled
    "held": 0.9,  # weight of such lines if the seat of that colour holds a tile that fits
    "dead": 0.3,  # weight of a line whose end runs into a space that shows three other colours
}
LONGEST = 256  # length of the table of values: a loop of all tiles counts double
WEIGHTS = record(
    [
        ("dead", np.float64),
        ("shares", np.float64, (4,)),  # `join`, `forced`, and twice `held`, as in WORTH
        ("points", np.float64, (LONGEST,)),  # the value of a line by its length
        ("against", np.float64),  # weight of the lines of each other seat
    ]
)


def worth(game: Game, known: States) -> npt.NDArray[np.float64]:
    """Return the lead over the best other seat; in Solitaire the score of the best colour, or of the goal."""
    n = len(COLOURS) - 1 if game.config["mode"] == "solitaire" else game.players
    scores = shares(np.take_along_axis(known["best"], known["colours"][:, :n].astype(np.int64), axis=1))
    if game.config["mode"] == "solitaire":
        return np.asarray(scores[:, 0] if game.config["goal"] != "best" else scores.max(axis=1))
    return np.asarray(scores[:, 0] - scores[:, 1:].max(axis=1))


def shares(numbers: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return numbers as shares of all tiles, rounded as in observations."""
    return (numbers.astype(np.float32) / np.float32(TILES)).astype(np.float64)


def weights(game: Game) -> npt.NDArray[np.void]:
    """Return the weights of a game, shape (1,)."""
    w = np.zeros(1, WEIGHTS)
    w["dead"], w["shares"] = WORTH["dead"], [WORTH[name] for name in ("join", "forced", "held", "held")]
    w["points"] = [length ** WORTH["bend"] for length in range(LONGEST)]
    w["against"] = -WORTH["others"] / max(1, game.players - 1)
    return w


@kernel
def decide(s: Record, mask: Any, work: Any) -> int:
    """Return the placement with the highest value for the seat to decide; of equal values, the first."""
    chosen, most = -1, 0.0
    each = ROTATIONS * int(s.opt.slots)
    begin_look(s, int(s.seat), work.w.against, work.look)
    for f in range(work.look.spaces):
        if ones(mask[each * f : each * f + each]) == 0:
            continue
        follow_lines(s, work.look, f)
        for i in range(each):
            if mask[each * f + i] == 1:
                worth = value(s, work, f, i // ROTATIONS, i % ROTATIONS)
                if chosen < 0 or worth > most:
                    chosen, most = each * f + i, worth
    return chosen


@kernel
def rate(s: Record, mask: Any, work: Any, values: Any) -> None:
    """Fill in the values of all legal placements; other entries stay."""
    each = ROTATIONS * int(s.opt.slots)
    begin_look(s, int(s.seat), work.w.against, work.look)
    for f in range(work.look.spaces):
        if ones(mask[each * f : each * f + each]) == 0:
            continue
        follow_lines(s, work.look, f)
        for i in range(each):
            if mask[each * f + i] == 1:
                values[each * f + i] = value(s, work, f, i // ROTATIONS, i % ROTATIONS)


@kernel
def value(s: Record, work: Any, f: int, slot: int, j: int) -> float:
    """Return the value of a placement for the seat to decide, in tiles of a line."""
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
    """Return the value that a link between sides `d` and `far` of a new tile adds to the lines it joins."""
    one, other = length(work.look, f, d), length(work.look, f, far)
    loop = int(one < 0)
    score = 1 + abs(one) + abs(other) + loop
    return float(work.w.points[score] - work.w.points[abs(one)] - work.w.points[abs(other) * (1 - loop)])


@kernel
def _promise(s: Record, work: Any, f: int, d: int, far: int, colour: int, slot: int) -> float:
    """Return the value of the space in direction `d` for the line that runs into it from side `far`."""
    look, points = work.look, work.w.points
    space = int(look.space[spot(s.border[f] + STEPS[d])])
    facing, touch = int(s.facing[space]), int(s.touch[space])
    own, alike = 1 + abs(length(look, f, far)), showing(facing, colour)
    if alike == 0:
        return float(-int(touch > 2) * work.w.dead * points[own])
    if alike & (alike - 1) != 0:
        return float(-work.w.dead * points[own])
    end, owner = direction_of(alike), int(look.owner[colour])
    if length(look, space, end) == 0:
        follow_line(s, look, space, end)
    other = abs(length(look, space, end))
    used = EVERY_TURN << slot if owner == s.seat else 0
    held = int(fitting(look.rings, COLOURED * owner, facing | colour << (3 * opposite(d))) & ~used != 0)
    share = work.w.shares[2 * held + int(touch > 1)]
    return float(share * (points[own + 1 + other] - points[own] - points[other]))
