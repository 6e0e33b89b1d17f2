"""What a network may know of each placement: the features that `placement_policy.py` scores.

Only what the seat observes is used. Lengths are in tens of tiles. Alone all three colours count as own unless there is
a goal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.compiled.jit import entry_point, kernel
from tantra_envs.core.game import Game
from tantra_envs.games.tantrix.board.hexes import FORCED
from tantra_envs.games.tantrix.material import ROTATIONS, SIDES
from tantra_envs.games.tantrix.player import check_compact
from tantra_envs.games.tantrix.players.lines import (
    GRID,
    STANDARD,
    STEPS,
    cell_of,
    follow,
    lay_out,
    promise,
    turn,
    weight,
)

BLOCKS = ("cells", "cell_facing", "board", "hands", "cell_touch", "tiles_to_come", "restrained", "scores")
# touch, gobble; for own lines, then for those of others: carried, length, loop, gain, promise
FEATURES = 2 + 2 * 5
TABLE = 6  # tiles to come, restrained, one-hot step, lead
USUAL = 120  # placements of a table for which there is room at first
Floats = npt.NDArray[np.float32]


def placements(game: Game, views: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats, Floats]:
    """All placements that match: their tables and actions (n,), their features (n, FEATURES); of tables (k, TABLE)."""
    check_compact(game)
    blocks = np.array([game.view[name].start for name in BLOCKS], np.int64)
    table = np.zeros((len(views), TABLE), np.float32)
    grid, sides = np.zeros(GRID * GRID, np.int64), np.zeros(2 * SIDES, np.int64)
    spaces = game.view["cell_touch"].size
    room, n = USUAL * len(views), 0
    while True:
        rows, actions, features = (
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.empty((room, FEATURES), np.float32),
        )
        n = _describe(game.blank, blocks, spaces, views, STANDARD, grid, sides, rows, actions, features, table)
        if n <= room:
            return rows[:n], actions[:n], features[:n], table
        room = n


@entry_point
def _describe(
    blank: Any, at: Any, spaces: int, views: Any, w: Any, grid: Any, sides: Any,
    rows: Any, actions: Any, features: Any, table: Any,
) -> int:  # fmt: skip
    """How many placements there are, whether there is room for all or not."""
    n = 0
    rules = blank[0]
    for k in range(len(views)):
        view = views[k]
        _describe_table(at, view, table[k], rules)
        lay_out(view, at[2], grid, 1)
        for f in range(spaces):
            if _open(at, view, f):
                for action in range(f * rules.opt.slots * ROTATIONS, (f + 1) * rules.opt.slots * ROTATIONS):
                    if _matches(rules, at, view, action, sides):
                        if n < len(rows):
                            rows[n] = k
                            actions[n] = action
                            _describe_placement(rules, at, view, action, w[0], grid, sides, features[n])
                        n += 1
        lay_out(view, at[2], grid, 0)
    return n


@kernel
def _describe_table(at: Any, view: Any, table: Any, rules: Any) -> None:
    table[0] = view[at[5]]
    for i in range(4):
        table[1 + i] = view[at[6] + i]
    table[5] = 5.0 * _lead(at, view, rules)


@kernel
def _lead(at: Any, view: Any, rules: Any) -> float:
    best = 0.0
    for i in range(1, rules.seats):
        best = max(best, view[at[7] + i])
    return float(view[at[7]] - best)


@kernel
def _open(at: Any, view: Any, f: int) -> bool:
    """May a tile go into space `f` in this step? Free moves never fill a gobble while the bag has tiles."""
    touch = view[at[4] + f]
    if touch == 0:
        return f == 0  # the empty table; there is no other space without neighbours
    restrained, free = view[at[6]] == 1, view[at[6] + 2] == 1
    return bool(not restrained if free and touch >= FORCED else free or touch >= FORCED)


@kernel
def _matches(rules: Any, at: Any, view: Any, action: int, sides: Any) -> bool:
    """Fills in the sides of the tile as it would lie."""
    slots = int(rules.opt.slots)
    f, slot, j = action // (slots * ROTATIONS), (action // ROTATIONS) % slots, action % ROTATIONS
    tile = at[3] + (1 + SIDES) * slot
    if view[tile] == 0 or (view[at[4] + f] == 0 and j > 0):
        return False
    return bool(turn(view, at[1] + SIDES * f, tile + 1, j, sides))


@kernel
def _describe_placement(
    rules: Any, at: Any, view: Any, action: int, w: Any, grid: Any, sides: Any, features: Any
) -> None:
    slots = int(rules.opt.slots)
    f, slot = action // (slots * ROTATIONS), (action // ROTATIONS) % slots
    cell = cell_of(int(view[at[0] + 2 * f]), int(view[at[0] + 2 * f + 1]))
    for i in range(len(features)):
        features[i] = 0.0
    features[0] = view[at[4] + f] / SIDES
    features[1] = view[at[4] + f] >= FORCED
    for d in range(SIDES):
        worth = weight(rules, int(sides[d]), w)
        if worth != 0.0:
            of = 2 if worth > 0.0 else 7
            for far in range(d + 1, SIDES):
                if sides[far] == sides[d]:
                    _describe_link(rules, at, view, grid, cell, d, far, int(sides[d]), features, of)
            if grid[cell + STEPS[d]] == 0:
                features[of + 4] += promise(rules, at, view, grid, cell, d, slot, sides, w) / 10.0


@kernel
def _describe_link(
    rules: Any, at: Any, view: Any, grid: Any, cell: int, d: int, far: int, colour: int, features: Any, of: int
) -> None:
    """What becomes of the line through a link, and of the score of its colour."""
    one, other = follow(view, at[2], grid, cell, d), follow(view, at[2], grid, cell, far)
    loop = one < 0
    tiles = 1 - one if loop else 1 + one + other
    score = (2 * tiles if loop else tiles) / 10.0
    seat = colour - 1 if colour <= rules.seats or rules.seats == 1 else 0
    before = 5.6 * view[at[7] + seat]
    features[of] = 1.0
    features[of + 1] = max(float(features[of + 1]), tiles / 10.0)
    features[of + 2] = max(float(features[of + 2]), 1.0 if loop else 0.0)
    features[of + 3] = max(float(features[of + 3]), score - before)
