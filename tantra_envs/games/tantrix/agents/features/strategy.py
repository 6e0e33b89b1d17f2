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
from .....core.state import Record
from ...board.bag import restrained
from ...board.hexes import FORCED, stays_sound
from ...encodings import rotation_of, slot_of, space_of
from ...material import MAX_SPACES, SIDES, TILES
from .border import GOBBLES, LAST, MOST, SCORES, showing_tiles
from .replies import play_on, reply, score_with
from .sets import size
from .table import MOST_SCORE, MOST_SQUARES

MOMENTS = 4  # ends of turns: observer, others, observer, others

OF_LINES = Blocks(
    Block("score", 1, "score / 10", high=MOST_SCORE / 10),
    Block(
        "squares",
        1,
        "squares of the lengths of the lines, added for each end that can grow / 200",
        high=MOST_SQUARES / 200,
    ),
    Block("lengths", 1, "lengths of the lines, added for each end that can grow / 20", high=MOST_SCORE / 20),
    Block("longest", 1, "length of the longest line, over the ends that can grow / 10", high=MOST_SCORE / 10),
    Block("second", 1, "length at the second of these ends, which may be on the same line / 10", high=MOST_SCORE / 10),
    Block("reach", 1, "best score with one more tile / 10", high=MOST_SCORE / 10),
    Block(
        "hand_reach", 1, "best score with one more tile of the hand that may be placed now / 10", high=MOST_SCORE / 10
    ),
    Block("unseen_reach", 1, "best score with one unseen tile, on average over them / 10", high=MOST_SCORE / 10),
    Block("gobble_reach", 1, "best score with one more tile in a gobble / 10", high=MOST_SCORE / 10),
)

OF_MOMENT = Blocks(
    *repeated(OF_LINES, ("own", "best"), "{}", "{} seat"),
    Block("mean", 1, "mean score of the other seats / 10", high=MOST_SCORE / 10),
    Block("placed", 1, "tiles placed in the turn / 4", high=TILES / 4),
)

OF_ACTION = Blocks(
    *repeated(OF_MOMENT, range(MOMENTS), "end_{}", "end {}"),
    Block("touch", 1, "tiles that the placed tile touches / 6"),
    Block("gobbles", 1, "gobbles at end 0 / 5", high=MAX_SPACES / 5),
    Block("dead", 1, "gobbles at end 0 that no unplaced tile fits / 5", high=MAX_SPACES / 5),
    Block("own_tiles", 1, "tiles in the own hand that have the own colour, at end 0 / 6"),
    Block("best_tiles", 1, "tiles in the hand of the best seat that have its colour, at end 0 / 6"),
)

A, M, L = OF_ACTION.starts, OF_MOMENT.starts, OF_LINES.starts
MOMENT_SIZE = OF_MOMENT.size


TENS = np.arange(SCORES, dtype=np.float32) / np.float32(10.0)  # by length or score
HALF_TENS = TENS / np.float32(2.0)
HALF_SQUARES = TENS * TENS / np.float32(2.0)


@kernel
def describe_placement(s: Record, b: Record, action: int, unseen: int, features: Any) -> None:
    """Fill in the features of a placement, (OF_ACTION.size,): play it at `s` and go on for MOMENTS turns."""
    placed, f, slot = int(s.placed), space_of(s, action), slot_of(s, action)
    features[A.touch] = s.touch[f] / SIDES
    play_on(s, b, f, slot, rotation_of(s, int(s.hands[s.seat, slot]), f, action))
    if s.opt.move_limit <= 1:
        s.over = 1
    for moment in range(MOMENTS):
        while s.over == 0 and (s.seat > 0) == (moment % 2 > 0):
            reply(s, b)
        at, leader = MOMENT_SIZE * moment, _leader(s)
        _describe_lines(s, b, 0, unseen, features, at + M.own_score)
        _describe_lines(s, b, leader, unseen, features, at + M.best_score)
        features[at + M.mean] = _mean_score(s) / 10.0
        features[at + M.placed] = (s.placed - placed) / 4.0
        placed = int(s.placed)
        if moment == 0:
            _describe_gobbles(b, features)
            features[A.own_tiles] = _coloured(s, b, 0) / 6.0
            features[A.best_tiles] = _coloured(s, b, leader) / 6.0


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
def _coloured(s: Any, b: Any, seat: int) -> int:
    """Return the number of tiles in the hand of a seat that have its colour."""
    return size(b.slots[seat] & showing_tiles(b, seat, 0, int(s.colours[seat]))) // 2  # in two rotations each


@kernel
def _describe_gobbles(b: Any, features: Any) -> None:
    """Count the gobbles, and those that no tile fits."""
    for i in range(b.counts[GOBBLES]):
        features[A.gobbles] += 0.2
        features[A.dead] += 0.2 * (b.fits[b.keys[i] & LAST] & b.unplaced == 0)


@kernel
def _describe_lines(s: Any, b: Any, seat: int, unseen: int, features: Any, at: int) -> None:
    """Fill in the features of the lines of a seat, in tens of tiles.

    A line that can grow at both ends is met twice, so each end counts half.
    """
    colour, unplaced, longest, second = int(s.colours[seat]), int(b.unplaced), 0, 0
    score, squares, lengths = int(s.best[colour]), np.float32(0.0), np.float32(0.0)
    most = score
    for place in (L.score, L.hand_reach, L.gobble_reach):
        features[at + place] = TENS[score]
    for i in range(MAX_SPACES * colour, MAX_SPACES * colour + b.counts[colour]):
        f = b.keys[i] & LAST
        if b.fits[f] & unplaced != 0:
            one, two = int(b.one[MOST * colour + f]), int(b.two[MOST * colour + f])
            length = abs(one)
            squares += HALF_SQUARES[length]
            lengths += HALF_TENS[length]
            second, longest = max(second, min(longest, length)), max(longest, length)
            if two > 0 or one < 0:
                length = max(two, -one)
                squares += HALF_SQUARES[length]
                lengths += HALF_TENS[length]
                second, longest = max(second, min(longest, length)), max(longest, length)
            made = score_with(s, one, two)
            if made > score:
                most = max(most, made)
                _raise(s, b, seat, f, made, unseen, features, at)
    features[at + L.squares], features[at + L.lengths] = squares, lengths
    features[at + L.longest], features[at + L.second] = TENS[longest], TENS[second]
    features[at + L.reach] = TENS[most]
    features[at + L.unseen_reach] = _expected(b, most, score, unseen) / 10.0


@kernel
def _raise(s: Any, b: Any, seat: int, f: int, made: int, unseen: int, features: Any, at: int) -> None:
    """Raise the features of a seat that a tile in space `f` would raise by its score, which is above that of now."""
    tens = TENS[made]
    b.reached[made] |= b.fits[f] & unseen
    if tens > features[at + L.gobble_reach] and b.touch[f] >= FORCED:
        features[at + L.gobble_reach] = tens
    if tens > features[at + L.hand_reach] and b.fits[f] & b.held[seat] != 0:
        if not restrained(s) or stays_sound(s, int(b.cell[f]), int(b.facing[f])):
            features[at + L.hand_reach] = tens


@kernel
def _expected(b: Any, most: int, score: int, unseen: int) -> float:
    """Return the mean of the best score with each unseen tile, and forget the tiles reached.

    Args:
        b: The border; `reached` has by score the unseen tiles that make it.
        most: The highest of these scores.
        score: The score without a tile.
        unseen: The unseen tiles.
    """
    rest, total = unseen, 0
    for made in range(most, score, -1):
        total += made * size(b.reached[made] & rest)
        rest &= ~b.reached[made]
        b.reached[made] = 0
    return (total + score * size(rest)) / max(1, size(unseen)) if unseen != 0 else float(score)
