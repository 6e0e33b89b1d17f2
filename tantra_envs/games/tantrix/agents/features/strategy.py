"""Compute the action features of Strategy: the result of a placement if all seats play on with the tiles they hold.

After the placement every seat plays on by greedy replies (`replies.py`) to four moments: the end of the observer's
turn, of the turns of the others, of the observer's next turn, and of the others' next turns. Tiles to come are unknown,
so a seat that draws has one tile less. The features describe the lines of the observer and of the best other seat at
these moments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.blocks import Block, Blocks, repeated
from .....core.compiled.jit import kernel
from .....core.compiled.stack import local_zeros
from .....core.state import Record
from ...board.bag import restrained
from ...board.hexes import FORCED, stays_sound
from ...board.tiles import showing, shown
from ...encodings import space_of
from ...material import COLOURS, HAND, MOST_LOOP, SIDES, TILES
from ...rules import apply
from .replies import lengths_at, reply, score_with
from .sets import in_hands, matching, set_of, size

MOMENTS = 4  # ends of turns: observer, others, observer, others

OF_LINES = Blocks(
    Block("score", 1, "score / 10"),
    Block("squares", 1, "squares of the lengths of the lines, added for each end that can grow / 200"),
    Block("lengths", 1, "lengths of the lines, added for each end that can grow / 20"),
    Block("longest", 1, "length of the longest line, over the ends that can grow / 10"),
    Block("second", 1, "length at the second of these ends, which may be on the same line / 10"),
    Block("reach", 1, "best score with one more tile / 10"),
    Block("hand_reach", 1, "best score with one more tile of the hand that may be placed now / 10"),
    Block("unseen_reach", 1, "best score with one unseen tile, on average over them / 10"),
    Block("gobble_reach", 1, "best score with one more tile in a gobble / 10"),
)

OF_MOMENT = Blocks(
    *repeated(OF_LINES, ("own", "best"), "{}", "{} seat"),
    Block("mean", 1, "mean score of the other seats / 10"),
    Block("placed", 1, "tiles placed in the turn / 4"),
)

OF_ACTION = Blocks(
    *repeated(OF_MOMENT, range(MOMENTS), "end_{}", "end {}"),
    Block("touch", 1, "tiles that the placed tile touches / 6"),
    Block("gobbles", 1, "gobbles at end 0 / 5"),
    Block("dead", 1, "gobbles at end 0 that no unplaced tile fits / 5"),
    Block("own_tiles", 1, "tiles in the own hand that have the own colour, at end 0 / 6"),
    Block("best_tiles", 1, "tiles in the hand of the best seat that have its colour, at end 0 / 6"),
)

A, M, L = OF_ACTION.starts, OF_MOMENT.starts, OF_LINES.starts
MOMENT_SIZE = OF_MOMENT.size
SCORES = MOST_LOOP * (TILES - TILES // len(COLOURS)) + 1  # a loop of all tiles with a colour


@kernel
def describe_placement(s: Record, action: int, unseen: int, features: Any) -> None:
    """Fill in the features of a placement, (OF_ACTION.size,): play it at `s` and go on for MOMENTS turns."""
    placed = int(s.placed)
    features[A.touch] = s.touch[space_of(s, action)] / SIDES
    apply(s, action)
    for moment in range(MOMENTS):
        _play_on(s, moment % 2, unseen)
        at = MOMENT_SIZE * moment
        _describe_lines(s, 0, unseen, features, at + M.own_score)
        leader = _leader(s)
        _describe_lines(s, leader, unseen, features, at + M.best_score)
        features[at + M.mean] = _mean_score(s) / 10.0
        features[at + M.placed] = (s.placed - placed) / 4.0
        placed = int(s.placed)
        if moment == 0:
            _describe_gobbles(s, unseen, features)
            features[A.own_tiles] = _coloured(s, 0) / 6.0
            features[A.best_tiles] = _coloured(s, leader) / 6.0


@kernel
def _play_on(s: Any, others: int, unseen: int) -> None:
    """Let the greedy agent play while seat 0 is to decide (`others` = 0), or while other seats are."""
    while s.over == 0 and (s.seat > 0) == (others > 0):
        reply(s, in_hands(s) | unseen)


@kernel
def _leader(s: Any) -> int:
    """Return the other seat with the highest score; of equal scores, the first."""
    leader = 1
    for seat in range(2, s.seats):
        leader = seat if s.best[s.colours[seat]] > s.best[s.colours[leader]] else leader
    return leader


@kernel
def _mean_score(s: Any) -> float:
    """Return the mean score of the other seats."""
    total = 0
    for seat in range(1, s.seats):
        total += s.best[s.colours[seat]]
    return float(total / (s.seats - 1))


@kernel
def _coloured(s: Any, seat: int) -> int:
    """Return the number of tiles in the hand of a seat that have its colour."""
    found = 0
    for slot in range(HAND):
        found += showing(shown(int(s.hands[seat, slot]), 0), int(s.colours[seat])) != 0
    return found


@kernel
def _describe_gobbles(s: Any, unseen: int, features: Any) -> None:
    """Count the gobbles, and those that no tile fits."""
    unplaced = in_hands(s) | unseen
    for f in range(s.border_n):
        if s.touch[f] >= FORCED:
            features[A.gobbles] += 0.2
            features[A.dead] += 0.2 * (matching(int(s.facing[f])) & unplaced == 0)


@kernel
def _describe_lines(s: Any, seat: int, unseen: int, features: Any, at: int) -> None:
    """Fill in the features of the lines of a seat, in tens of tiles."""
    colour = int(s.colours[seat])
    score, hand, unplaced = int(s.best[colour]), set_of(s.hands[seat]), in_hands(s) | unseen
    for place in (L.score, L.reach, L.hand_reach, L.gobble_reach):
        features[at + place] = score / 10.0
    reached = local_zeros(SCORES, np.int64)  # by score: the unseen tiles that make it
    for f in range(s.border_n):
        ends = showing(int(s.facing[f]), colour)
        if ends != 0:
            fits = matching(int(s.facing[f])) & unplaced
            if fits != 0:
                one, other = lengths_at(s, f, ends)
                made = score_with(s, one, other)
                _add_end(features, at, abs(one))
                _add_end(features, at, abs(one) if one < 0 else other)
                may = fits & hand != 0 and (not restrained(s) or stays_sound(s, int(s.border[f]), int(s.facing[f])))
                _raise(features, at + L.reach, made)
                _raise(features, at + L.hand_reach, made if may else 0)
                _raise(features, at + L.gobble_reach, made if s.touch[f] >= FORCED else 0)
                reached[made] |= fits & unseen
    features[at + L.unseen_reach] = _expected(reached, int(10.0 * features[at + L.reach] + 0.5), score, unseen) / 10.0


@kernel
def _add_end(features: Any, at: int, length: int) -> None:
    """Add an end of a line that can grow. A line that can grow at both ends is met twice, so each end counts half."""
    tens = np.float32(length) / np.float32(10.0)
    features[at + L.squares] += tens * tens / np.float32(2.0)
    features[at + L.lengths] += tens / np.float32(2.0)
    if tens > features[at + L.longest]:
        features[at + L.second] = features[at + L.longest]
        features[at + L.longest] = tens
    elif tens > features[at + L.second]:
        features[at + L.second] = tens


@kernel
def _raise(features: Any, at: int, score: int) -> None:
    """Raise a feature to a score, in tens of tiles."""
    features[at] = max(features[at], np.float32(score) / np.float32(10.0))


@kernel
def _expected(reached: Any, most: int, score: int, unseen: int) -> float:
    """Return the mean of the best score with each unseen tile.

    Args:
        reached: By score the unseen tiles that make it.
        most: The highest of these scores.
        score: The score without a tile.
        unseen: The unseen tiles.
    """
    rest, total = unseen, 0
    for made in range(most, score, -1):
        total += made * size(reached[made] & rest)
        rest &= ~reached[made]
    return (total + score * size(rest)) / max(1, size(unseen)) if unseen != 0 else float(score)
