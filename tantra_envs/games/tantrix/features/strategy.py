"""Compute the action features of Strategy: the result of a placement if all seats play on with the tiles they hold.

After the placement the scripted agent of every seat plays on to four moments: the end of the observer's turn, of the
turns of the others, of the observer's next turn, and of the others' next turns. Tiles to come are unknown, so a seat
that draws has one tile less. The features describe the lines of the observer and of the best other seat at these
moments.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.drivers import only_one
from ....core.compiled.jit import kernel
from ....core.state import Record
from ..board.tiles import COLOURED, fitting
from ..rules import apply, legal_actions
from ..scripted import lines
from ..scripted.look import direction_of, length, link_score, look_round, showing

MOMENTS = 4  # ends of turns: observer, others, observer, others
# score; value of all lines that can still grow; best score with one more tile, any tile or one in the hand
STANDING = 4
FEATURES = MOMENTS * 2 * STANDING


@kernel
def describe_placement(s: Record, action: int, mask: Any, work: Any, features: Any) -> None:
    """Fill in the features of a placement, (FEATURES,): play it at `s` and go on for MOMENTS turns."""
    apply(s, action)
    for moment in range(MOMENTS):
        _play_on(s, moment % 2, mask, work)
        look_round(s, 0, work.w.against, work.look)
        at = 2 * STANDING * moment
        _describe_lines(s, 0, work, features, at)
        _describe_lines(s, _leader(s), work, features, at + STANDING)


@kernel
def _play_on(s: Any, others: int, mask: Any, work: Any) -> None:
    """Let the scripted agent play while seat 0 is to decide (`others` = 0), or while other seats are."""
    while s.over == 0 and (s.seat > 0) == (others > 0):
        legal_actions(s, mask)
        action = only_one(mask)
        apply(s, action if action >= 0 else lines.decide(s, mask, work))


@kernel
def _leader(s: Any) -> int:
    """Return the other seat with the highest score; of equal scores, the first."""
    leader = 1
    for seat in range(2, s.seats):
        leader = seat if s.best[s.colours[seat]] > s.best[s.colours[leader]] else leader
    return leader


@kernel
def _describe_lines(s: Any, seat: int, work: Any, features: Any, at: int) -> None:
    """Fill in the features of the lines of a seat, in tens of tiles."""
    add_lines(s, seat, work, features, at)
    features[at + 3] = _held(s, seat, work) / 10.0


@kernel
def add_lines(s: Any, seat: int, work: Any, features: Any, at: int) -> None:
    """Add the first three numbers of STANDING for the colour with index `seat`.

    A line that can grow at both ends is met twice, so each end counts half.
    """
    look, colour = work.look, int(s.colours[seat])
    score = float(s.best[colour])
    worth, any_tile = 0.0, score
    for f in range(look.spaces):
        ends = left = showing(int(s.facing[f]), colour)
        while left != 0:
            end = left & -left
            left ^= end
            worth += float(work.w.points[abs(length(look, f, direction_of(end)))]) / 2.0
        any_tile = max(any_tile, _one_tile(look, f, ends))
    features[at] += score / 10.0
    features[at + 1] += worth / 100.0
    features[at + 2] += any_tile / 10.0


@kernel
def _held(s: Any, seat: int, work: Any) -> float:
    """Return the best score that a tile in the hand of a seat can make."""
    colour = int(s.colours[seat])
    held = float(s.best[colour])
    for f in range(work.look.spaces):
        facing = int(s.facing[f])
        score = _one_tile(work.look, f, showing(facing, colour))
        if score > held and fitting(work.look.rings, COLOURED * seat, facing) != 0:
            held = score
    return held


@kernel
def _one_tile(look: Any, f: int, ends: int) -> float:
    """Return the score that a tile in a space makes for the colour shown by the sides `ends`, 0 = none."""
    other = ends & (ends - 1)
    if ends == 0 or other & (other - 1) != 0:
        return 0.0
    one = direction_of(ends & -ends)
    if other == 0:
        return float(1 + length(look, f, one))
    return float(link_score(look, f, one, direction_of(other)))
