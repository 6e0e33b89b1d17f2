"""Compute the action features of Strategy: the result of a placement if all seats play on with the tiles they hold.

After the placement every seat plays on by greedy replies (`replies.py`) to four moments: the end of the observer's
turn, of the turns of the others, of the observer's next turn, and of the others' next turns. Tiles to come are unknown,
so a seat that draws has one tile less. The features describe the lines of the observer and of the best other seat at
these moments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel
from ....core.compiled.stack import local_zeros
from ....core.state import Record
from ..board.bag import restrained
from ..board.hexes import FORCED, stays_sound
from ..board.tiles import showing, shown
from ..encodings import space_of
from ..material import COLOURS, HAND, MOST_LOOP, SIDES, TILES
from ..rules import apply
from .replies import lengths_at, reply, score_with
from .sets import in_hands, matching, set_of, size

MOMENTS = 4  # ends of turns: observer, others, observer, others
# The lines of a seat: score; squares and lengths of the ends that can grow; the longest and second longest such end;
# the best score with one more tile: any tile, a tile in its hand that may be placed there now, on average over the
# unseen tiles, and any tile in a gobble.
SCORE, SQUARES, LENGTHS, LONGEST, SECOND, ANY, HELD, UNSEEN, GOBBLE = range(9)
STANDING = 9
# A moment: the lines of the observer and of the best other seat, the mean score of the others, and the tiles placed in
# the turn.
MEAN, PLACED = 2 * STANDING, 2 * STANDING + 1
MOMENT = 2 * STANDING + 2
# After the placement: tiles touched; gobbles, and those that no tile fits; tiles in hand with the own colour, of the
# observer and of the best other seat.
TOUCH, GOBBLES, DEAD, OWN_TILES, LEADER_TILES = range(MOMENTS * MOMENT, MOMENTS * MOMENT + 5)
FEATURES = MOMENTS * MOMENT + 5
SCORES = MOST_LOOP * (TILES - TILES // len(COLOURS)) + 1  # a loop of all tiles with a colour


@kernel
def describe_placement(s: Record, action: int, unseen: int, features: Any) -> None:
    """Fill in the features of a placement, (FEATURES,): play it at `s` and go on for MOMENTS turns."""
    placed = int(s.placed)
    features[TOUCH] = s.touch[space_of(s, action)] / SIDES
    apply(s, action)
    for moment in range(MOMENTS):
        _play_on(s, moment % 2, unseen)
        at = MOMENT * moment
        _describe_lines(s, 0, unseen, features, at)
        leader = _leader(s)
        _describe_lines(s, leader, unseen, features, at + STANDING)
        features[at + MEAN] = _mean_score(s) / 10.0
        features[at + PLACED] = (s.placed - placed) / 4.0
        placed = int(s.placed)
        if moment == 0:
            _describe_gobbles(s, unseen, features)
            features[OWN_TILES] = _coloured(s, 0) / 6.0
            features[LEADER_TILES] = _coloured(s, leader) / 6.0


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
            features[GOBBLES] += 0.2
            features[DEAD] += 0.2 * (matching(int(s.facing[f])) & unplaced == 0)


@kernel
def _describe_lines(s: Any, seat: int, unseen: int, features: Any, at: int) -> None:
    """Fill in the features of the lines of a seat, in tens of tiles."""
    colour = int(s.colours[seat])
    score, hand, unplaced = int(s.best[colour]), set_of(s.hands[seat]), in_hands(s) | unseen
    features[at + SCORE] = features[at + ANY] = features[at + HELD] = features[at + GOBBLE] = score / 10.0
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
                _raise(features, at + ANY, made)
                _raise(features, at + HELD, made if may else 0)
                _raise(features, at + GOBBLE, made if s.touch[f] >= FORCED else 0)
                reached[made] |= fits & unseen
    features[at + UNSEEN] = _expected(reached, int(10.0 * features[at + ANY] + 0.5), score, unseen) / 10.0


@kernel
def _add_end(features: Any, at: int, length: int) -> None:
    """Add an end of a line that can grow. A line that can grow at both ends is met twice, so each end counts half."""
    tens = np.float32(length) / np.float32(10.0)
    features[at + SQUARES] += tens * tens / np.float32(2.0)
    features[at + LENGTHS] += tens / np.float32(2.0)
    if tens > features[at + LONGEST]:
        features[at + SECOND] = features[at + LONGEST]
        features[at + LONGEST] = tens
    elif tens > features[at + SECOND]:
        features[at + SECOND] = tens


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
