"""What a network may know of each placement: the features that `described_policy.py` scores.

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
from tantra_envs.games.tantrix.board.tiles import colour_at
from tantra_envs.games.tantrix.material import ROTATIONS, SIDES
from tantra_envs.games.tantrix.player import prepare
from tantra_envs.games.tantrix.players.lines import look_round, promise
from tantra_envs.games.tantrix.players.sight import length, link, turned

BLOCKS = ("tiles_to_come", "restrained", "scores")  # of the view, beside what the scripted player reads
# touch, gobble; for own lines, then for those of others: carried, length, loop, gain, promise
FEATURES = 2 + 2 * 5
TABLE = 6  # tiles to come, restrained, one-hot step, lead
USUAL = 120  # placements of a table for which there is room at first
Floats = npt.NDArray[np.float32]


def placements(game: Game, views: Floats) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Floats, Floats]:
    """All placements that match: their tables and actions (n,), their features (n, FEATURES); of tables (k, TABLE)."""
    work, blocks = prepare(game), table_at(game)
    table = np.zeros((len(views), TABLE), np.float32)
    room, n = USUAL * len(views), 0
    while True:
        rows, actions, features = (
            np.empty(room, np.int64),
            np.empty(room, np.int64),
            np.empty((room, FEATURES), np.float32),
        )
        n = _describe(work, blocks, views, rows, actions, features, table)
        if n <= room:
            return rows[:n], actions[:n], features[:n], table
        room = n


def table_at(game: Game) -> npt.NDArray[np.int64]:
    """Where the blocks of the game's view begin that tell of a table."""
    return np.array([game.view[name].start for name in BLOCKS], np.int64)


@entry_point
def _describe(workplace: Any, at: Any, views: Any, rows: Any, actions: Any, features: Any, table: Any) -> int:
    """How many placements there are, whether there is room for all or not."""
    n, work = 0, workplace[0]
    for k in range(len(views)):
        view = views[k]
        describe_table(at, view, table[k], int(work.seats))
        each = look_round(view, work)
        for f in range(work.sight.spaces):
            for i in range(each if _open(at, view, int(work.sight.touch[f])) else 0):
                sides = _matching(work, f, i // ROTATIONS, i % ROTATIONS)
                if sides != 0:
                    if n < len(rows):
                        rows[n] = k
                        actions[n] = each * f + i
                        _describe_placement(at, view, work, f, sides, i // ROTATIONS, features[n])
                    n += 1
    return n


@kernel
def describe_table(at: Any, view: Any, table: Any, seats: int) -> None:
    """What is the same for all placements."""
    table[0] = view[at[0]]
    for i in range(4):
        table[1 + i] = view[at[1] + i]
    table[5] = 5.0 * _lead(at, view, seats)


@kernel
def _lead(at: Any, view: Any, seats: int) -> float:
    best = 0.0
    for i in range(1, seats):
        best = max(best, view[at[2] + i])
    return float(view[at[2]] - best)


@kernel
def _open(at: Any, view: Any, touch: int) -> bool:
    """May a tile go into a space in this step? Free moves never fill a gobble while the bag has tiles."""
    if touch == 0:
        return True  # the empty table; there is no other space without neighbours
    restrained, free = view[at[1]] == 1, view[at[1] + 2] == 1
    return bool(not restrained if free and touch >= FORCED else free or touch >= FORCED)


@kernel
def _matching(work: Any, f: int, slot: int, j: int) -> int:
    """The sides of a tile as it would lie, 0 = it does not match; on the empty table it is not turned."""
    return turned(work.sight, f, slot, j) if work.sight.touch[f] > 0 or j == 0 else 0


@kernel
def _describe_placement(at: Any, view: Any, work: Any, f: int, sides: int, slot: int, features: Any) -> None:
    touch, facing = int(work.sight.touch[f]), int(work.sight.facing[f])
    for i in range(len(features)):
        features[i] = 0.0
    features[0] = np.float32(touch) / SIDES
    features[1] = touch >= FORCED
    for d in range(SIDES):
        colour = colour_at(sides, d)
        worth = work.w.counts[colour]
        if worth != 0.0:
            of, far = 2 if worth > 0.0 else 7, link(sides, d)
            if far > d:
                _describe_link(at, view, work, f, d, far, colour, features, of)
            if colour_at(facing, d) == 0:
                features[of + 4] += promise(work, f, d, far, colour, slot) / 10.0


@kernel
def _describe_link(
    at: Any, view: Any, work: Any, f: int, d: int, far: int, colour: int, features: Any, of: int
) -> None:
    """What becomes of the line through a link, and of the score of its colour."""
    loop, made = length(work.sight, f, d) < 0, link_score(work.sight, f, d, far)
    tiles, score = made / 2 if loop else float(made), made / 10.0
    seat = colour - 1 if colour <= work.seats or work.seats == 1 else 0
    before = 5.6 * view[at[2] + seat]
    features[of] = 1.0
    features[of + 1] = max(float(features[of + 1]), tiles / 10.0)
    features[of + 2] = max(float(features[of + 2]), 1.0 if loop else 0.0)
    features[of + 3] = max(float(features[of + 3]), score - before)


@kernel
def link_score(sight: Any, f: int, d: int, far: int) -> int:
    """What a line scores that a link between two sides of a space makes of those it meets."""
    one, other = length(sight, f, d), length(sight, f, far)
    return 2 * (1 - one) if one < 0 else 1 + one + other
