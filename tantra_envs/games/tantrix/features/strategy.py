"""What a network may know of each placement: what comes of it if everybody plays on with the tiles that are seen.

The table is laid out again from the view (recall.py). Each legal placement is made there, and the scripted player of
every seat plays on: to the end of the own turn, of those of the others, of the own next one, and of the others' next.
A tile to come stays unknown, so whoever draws has one slot less. How the own lines and those of the best other stand
at these four moments are the features.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.drivers import only_one
from ....core.compiled.jit import entry_point, kernel
from ....core.game import Game
from ..material import HAND
from ..recall import recall, seen_at
from ..rules import apply, legal_actions
from ..scripted import lines, prepare
from ..scripted.lengths import length, link_score, look_round
from ..scripted.lines import direction_of, holds_fitting, showing
from .table import SIZE, describe_table, table_at

MOMENTS = 4  # ends of turns: own, others', own, others'
# score; worth of all lines that may still grow; best score one tile could make, any or one that is held
STANDING = 4
FEATURES = MOMENTS * 2 * STANDING
TABLE = SIZE
Floats = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]


def describe(game: Game, views: Floats) -> tuple[Rows, Rows, Floats, Floats]:
    """All legal placements: their tables and actions (n,), their features (n, FEATURES); of tables (k, TABLE)."""
    room, work, mask = game.blanks(2), prepare(game), np.zeros(game.actions.size, np.int8)
    rows, actions = legal_by_views(game, views)
    features, table = np.zeros((len(rows), FEATURES), np.float32), np.zeros((len(views), TABLE), np.float32)
    _describe(views, seen_at(game), table_at(game), room, mask, work, rows, actions, features, table)
    return rows, actions, features, table


def legal_by_views(game: Game, views: Floats) -> tuple[Rows, Rows]:
    """Tables and actions (n,): what the seats may do whose views these are."""
    legal = np.zeros((len(views), game.actions.size), np.int8)
    _find_legal(views, seen_at(game), game.blanks(1), legal)
    rows, actions = np.nonzero(legal)
    return rows, actions


@entry_point
def _find_legal(views: Any, seen: Any, room: Any, legal: Any) -> None:
    for k in range(len(views)):
        recall(views[k], seen, room[0])
        legal_actions(room[0], legal[k])


@entry_point
def _describe(
    views: Any,
    seen: Any,
    at: Any,
    room: Any,
    mask: Any,
    work: Any,
    rows: Any,
    actions: Any,
    features: Any,
    table: Any,
) -> None:
    """The placements come table by table, so that each is laid out once."""
    for k in range(len(views)):
        describe_table(at, views[k], table[k], int(room[0].seats))
    laid = -1
    for n in range(len(rows)):
        if rows[n] != laid:
            laid = rows[n]
            recall(views[laid], seen, room[0])
        room[1] = room[0]
        apply(room[1], actions[n])
        _look_ahead(room[1], mask, work[0], features[n])


@kernel
def _look_ahead(s: Any, mask: Any, work: Any, features: Any) -> None:
    for moment in range(MOMENTS):
        _play_on(s, moment % 2, mask, work)
        look_round(s, 0, work.w.against, work.look)
        at = 2 * STANDING * moment
        _describe_lines(s, 0, work, features, at)
        _describe_lines(s, _leader(s), work, features, at + STANDING)


@kernel
def _play_on(s: Any, others: int, mask: Any, work: Any) -> None:
    """Let the scripted agent play on for whoever decides: for seat 0 while it does, or for the others while they do."""
    while s.over == 0 and (s.seat > 0) == (others > 0):
        legal_actions(s, mask)
        action = only_one(mask)
        apply(s, action if action >= 0 else lines.decide(s, mask, work))


@kernel
def _leader(s: Any) -> int:
    """The seat beside 0 with the highest score, of equals the first."""
    leader = 1
    for seat in range(2, s.seats):
        leader = seat if s.best[s.colours[seat]] > s.best[s.colours[leader]] else leader
    return leader


@kernel
def _describe_lines(s: Any, seat: int, work: Any, features: Any, at: int) -> None:
    """How the lines of a seat stand, in tens of tiles."""
    add_lines(s, seat, work, features, at)
    features[at + 3] = _held(s, seat, work) / 10.0


@kernel
def add_lines(s: Any, seat: int, work: Any, features: Any, at: int) -> None:
    """Add the first three of STANDING, of a seat or of that colour; lines that may grow are met at both ends."""
    look, colour = work.look, int(s.colours[seat])
    score = float(s.best[colour])
    worth, any_tile = 0.0, score
    for f in range(look.spaces):
        cell, ends = int(s.border[f]), showing(int(s.facing[f]), colour)
        left = ends
        while left != 0:
            end = left & -left
            left ^= end
            worth += float(work.w.points[abs(length(s, look, cell, direction_of(end)))]) / 2.0
        any_tile = max(any_tile, _one_tile(s, look, cell, ends))
    features[at] += score / 10.0
    features[at + 1] += worth / 100.0
    features[at + 2] += any_tile / 10.0


@kernel
def _held(s: Any, seat: int, work: Any) -> float:
    """Return the best score that a tile which is held could make."""
    colour = int(s.colours[seat])
    held = float(s.best[colour])
    for f in range(work.look.spaces):
        facing = int(s.facing[f])
        score = _one_tile(s, work.look, int(s.border[f]), showing(facing, colour))
        if score > held and holds_fitting(s, seat, facing, HAND):
            held = score
    return held


@kernel
def _one_tile(s: Any, look: Any, cell: int, ends: int) -> float:
    """Return what a tile in a space would score for the colour that these sides show it, 0 = nothing."""
    other = ends & (ends - 1)
    if ends == 0 or other & (other - 1) != 0:
        return 0.0
    one = direction_of(ends & -ends)
    if other == 0:
        return float(1 + length(s, look, cell, one))
    return float(link_score(s, look, cell, one, direction_of(other)))
