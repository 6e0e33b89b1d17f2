"""Compute the action features of Solitaire: the result of a placement with each possible next tile.

After the placement every unseen tile is placed by the greedy reply (`replies.py`), each on a copy of the table. The
features describe the lines of the colours that count, after the placement and on average after the next tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.blocks import Block, Blocks, repeated
from .....core.compiled.jit import kernel
from ...board.hexes import FORCED
from ...board.lines import score_lines
from ...board.tiles import showing
from ...encodings import lay
from ...material import COLOURS, SIDES, TILES
from .replies import lengths_at, reply_alone, score_with
from .sets import matching

THREE = len(COLOURS) - 1  # colours in the game; the features of colours that do not count are zeros

OF_COLOUR = Blocks(
    Block("score", 1, "score / 10"),
    Block("squares", 1, "squares of the lengths of its lines, added for each end that can grow / 200"),
    Block("longest", 1, "longest of these lines / 10"),
    Block("reach", 1, "best score with one more tile / 10"),
)

OF_ACTION = Blocks(
    *repeated(OF_COLOUR, range(1, THREE + 1), "now_{}", "colour {} after the placement"),
    *repeated(OF_COLOUR, range(1, THREE + 1), "next_{}", "colour {} after the reply, mean over the tiles to come"),
    Block("forced", 1, "share of the tiles to come that must fill a gobble"),
    Block("rising", 1, "share of the tiles to come that raise the score when they are placed by the reply"),
    Block("score", 1, "score after the reply, on average over the tiles to come / 10"),
    Block("most_score", 1, "score after the reply with the best tile to come / 10"),
    Block("touch", 1, "tiles that the placed tile touches / 6"),
    Block("gobbles", 1, "gobbles after the placement / 5"),
)  # fmt: skip

A, C = OF_ACTION.starts, OF_COLOUR.starts
COLOUR_SIZE = OF_COLOUR.size
NEXT = A.next_1_score  # first index of the colours after the next tile


@kernel
def describe_placement(tables: Any, action: int, unseen: int, features: Any) -> None:
    """Fill in the features of a placement, (OF_ACTION.size,): play it on table 1 of `tables`, go on with table 2."""
    features[A.touch] = _place(tables[1], action) / SIDES
    _look_ahead(tables, unseen, features)
    _sort_colours(features)


@kernel
def _place(s: Any, action: int) -> int:
    """Place the tile in hand by an action; return the number of tiles that it touches."""
    tile = int(s.hands[0, 0])
    touched = int(lay(s, tile, action))
    score_lines(s, tile)
    s.hands[0, 0] = 0
    return touched


@kernel
def _look_ahead(tables: Any, unseen: int, features: Any) -> None:
    """Describe table 1, then place each tile to come on table 2."""
    s = tables[1]
    colours = _counted(s)
    before, come = _score(s, colours), 0
    _describe_colours(s, unseen, colours, features, 0)
    for f in range(s.border_n):
        features[A.gobbles] += 0.2 * (s.touch[f] >= FORCED)
    for tile in range(1, TILES + 1):
        if unseen >> (tile - 1) & 1:
            tables[2] = s
            _try_next(tables[2], tile, unseen, colours, before, features)
            come += 1
    _average(features, before, come)


@kernel
def _counted(s: Any) -> int:
    """Return a bit for each colour that counts: all, or the goal."""
    colours = 0
    for i in range(THREE):
        colours |= 1 << int(s.colours[i])
    return colours if s.opt.goal == 0 else 1 << int(s.opt.goal)


@kernel
def _score(s: Any, colours: int) -> int:
    """Return the best score of the colours that count."""
    best = 0
    for colour in range(1, len(COLOURS) + 1):
        best = max(best, int(s.best[colour]) * (colours >> colour & 1))
    return best


@kernel
def _try_next(s: Any, tile: int, unseen: int, colours: int, before: int, features: Any) -> None:
    """Place one of the tiles to come by the greedy reply; add to the sums and update the maxima."""
    features[A.forced] += reply_alone(s, tile, colours, before, unseen)
    _describe_colours(s, unseen & ~(1 << (tile - 1)), colours, features, NEXT)
    score = _score(s, colours)
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
def _describe_colours(s: Any, unseen: int, colours: int, features: Any, at: int) -> None:
    """Add the features of each colour that counts."""
    for i in range(THREE):
        if colours >> int(s.colours[i]) & 1:
            _describe_lines(s, int(s.colours[i]), unseen, features, at + COLOUR_SIZE * i)


@kernel
def _describe_lines(s: Any, colour: int, unseen: int, features: Any, at: int) -> None:
    """Add the numbers of OF_COLOUR for a colour.

    A line that can grow at both ends is met twice, so each end counts half.
    """
    squares, longest, most = 0, 0, int(s.best[colour])
    for f in range(s.border_n):
        ends = showing(int(s.facing[f]), colour)
        if ends != 0 and matching(int(s.facing[f])) & unseen != 0:
            one, other = lengths_at(s, f, ends)
            squares += one**2 + (one**2 if one < 0 else other**2)
            longest = max(longest, abs(one), other)
            most = max(most, score_with(s, one, other))
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
