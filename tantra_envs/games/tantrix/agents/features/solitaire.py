"""Compute the action features of Solitaire: the result of a placement with each possible next tile.

After the placement every unseen tile is placed by the greedy reply (`replies.py`), and taken up again. The
features describe the lines of the colours that count, after the placement and on average after the next tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.blocks import Block, Blocks, repeated
from .....core.compiled.jit import kernel
from .....core.compiled.stack import local_zeros
from .....core.state import Record
from ...board.tiles import COLOURED
from ...encodings import rotation_of, space_of
from ...material import COLOURS, MAX_SPACES, SIDES, TILES
from .border import GOBBLES, LAST, MOST, copy_border, place, take_up
from .replies import note_values, reply_alone, score_with
from .table import MOST_SCORE, MOST_SQUARES

THREE = len(COLOURS) - 1  # colours in the game; the features of colours that do not count are zeros

OF_COLOUR = Blocks(
    Block("score", 1, "score / 10", high=MOST_SCORE / 10),
    Block(
        "squares",
        1,
        "squares of the lengths of its lines, added for each end that can grow / 200",
        high=MOST_SQUARES / 200,
    ),
    Block("longest", 1, "longest of these lines / 10", high=MOST_SCORE / 10),
    Block("reach", 1, "best score with one more tile / 10", high=MOST_SCORE / 10),
)

OF_ACTION = Blocks(
    *repeated(OF_COLOUR, range(1, THREE + 1), "now_{}", "colour {} after the placement"),
    *repeated(OF_COLOUR, range(1, THREE + 1), "next_{}", "colour {} after the reply, mean over the tiles to come"),
    Block("forced", 1, "share of the tiles to come that must fill a gobble"),
    Block("rising", 1, "share of the tiles to come that raise the score when they are placed by the reply"),
    Block("score", 1, "score after the reply, on average over the tiles to come / 10", high=MOST_SCORE / 10),
    Block("most_score", 1, "score after the reply with the best tile to come / 10", high=MOST_SCORE / 10),
    Block("touch", 1, "tiles that the placed tile touches / 6"),
    Block("gobbles", 1, "gobbles after the placement / 5", high=MAX_SPACES / 5),
)  # fmt: skip

A, C = OF_ACTION.starts, OF_COLOUR.starts
COLOUR_SIZE = OF_COLOUR.size
NEXT = A.next_1_score  # first index of the colours after the next tile


@kernel
def describe_placement(s: Record, b: Record, after: Record, action: int, unseen: int, features: Any) -> None:
    """Fill in the features of a placement, (OF_ACTION.size,): play it at `s` and its border `b`.

    The border after the placement is stored in `after`.
    """
    tile, f = int(s.hands[0, 0]), space_of(s, action)
    features[A.touch] = b.touch[f] / SIDES
    place(s, b, f, tile, rotation_of(s, tile, f, action))
    copy_border(b, after)
    _look_ahead(s, b, after, unseen, features)
    _sort_colours(features)


@kernel
def _look_ahead(s: Record, b: Record, after: Record, unseen: int, features: Any) -> None:
    """Describe the table, then place each tile to come and take it up again."""
    best, come = local_zeros(COLOURED, np.int64), 0
    for colour in range(COLOURED):
        best[colour] = s.best[colour]
    before = _score(s, b)
    note_values(s, b, before)
    _describe_colours(s, b, features, 0)
    for _ in range(b.counts[GOBBLES]):
        features[A.gobbles] += 0.2
    for tile in range(1, TILES + 1):
        if unseen >> (tile - 1) & 1:
            _try_next(s, b, tile, before, features)
            take_up(b, after)
            copy_border(after, b)
            for colour in range(COLOURED):
                s.best[colour] = best[colour]
            come += 1
    _average(features, before, come)


@kernel
def counted(s: Any) -> int:
    """Return a bit for each colour that counts: all, or the goal."""
    colours = 0
    for i in range(THREE):
        colours |= 1 << int(s.colours[i])
    return colours if s.opt.goal == 0 else 1 << int(s.opt.goal)


@kernel
def _score(s: Any, b: Any) -> int:
    """Return the best score of the colours that count."""
    best = 0
    for colour in range(1, COLOURED):
        best = max(best, int(s.best[colour]) * (b.playing >> colour & 1))
    return best


@kernel
def _try_next(s: Any, b: Any, tile: int, before: int, features: Any) -> None:
    """Place one of the tiles to come by the greedy reply; add to the sums and update the maxima."""
    features[A.forced] += reply_alone(s, b, tile)
    _describe_colours(s, b, features, NEXT)
    score = _score(s, b)
    features[A.rising] += score > before
    features[A.score] += score / 10.0
    features[A.most_score] = max(features[A.most_score], np.float32(score / 10.0))


@kernel
def _average(features: Any, before: int, come: int) -> None:
    """Turn the sums into averages; if no tile is to come, use the values of the table."""
    for i in range(NEXT):
        features[NEXT + i] = features[NEXT + i] / come if come > 0 else features[i]
    for i in range(A.forced, A.most_score):
        features[i] /= max(1, come)
    if come == 0:
        features[A.score] = features[A.most_score] = before / 10.0


@kernel
def _describe_colours(s: Any, b: Any, features: Any, at: int) -> None:
    """Add the features of each colour that counts."""
    for i in range(THREE):
        if b.playing >> int(s.colours[i]) & 1:
            _describe_lines(s, b, int(s.colours[i]), features, at + COLOUR_SIZE * i)


@kernel
def _describe_lines(s: Any, b: Any, colour: int, features: Any, at: int) -> None:
    """Add the numbers of OF_COLOUR for a colour.

    A line that can grow at both ends is met twice, so each end counts half.
    """
    squares, longest, most = 0, 0, int(s.best[colour])
    for i in range(MAX_SPACES * colour, MAX_SPACES * colour + b.counts[colour]):
        f = b.keys[i] & LAST
        if b.fits[f] & b.unplaced != 0:
            one, two = int(b.one[MOST * colour + f]), int(b.two[MOST * colour + f])
            squares += one * one + (one * one if one < 0 else two * two)
            longest = max(longest, abs(one), two)
            most = max(most, score_with(s, one, two))
    features[at + C.score] += s.best[colour] / 10.0
    features[at + C.squares] += squares / 200.0
    features[at + C.longest] += longest / 10.0
    features[at + C.reach] += most / 10.0


@kernel
def _sort_colours(features: Any) -> None:
    """Sort the features of the colours by score, then by squares, highest first, so that names have no effect."""
    for i in range(THREE):
        for j in range(i + 1, THREE):
            one, other = COLOUR_SIZE * i, COLOUR_SIZE * j
            first = features[one + C.score], features[one + C.squares]
            if (features[other + C.score], features[other + C.squares]) > first:
                for k in range(COLOUR_SIZE):
                    _swap(features, one + k, other + k)
                    _swap(features, NEXT + one + k, NEXT + other + k)


@kernel
def _swap(features: Any, one: int, other: int) -> None:
    value = features[one]
    features[one] = features[other]
    features[other] = value
