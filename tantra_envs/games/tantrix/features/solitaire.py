"""Compute the action features of Solitaire: the result of a placement with each possible next tile.

After the placement every unseen tile is placed by the greedy reply (`replies.py`), each on a copy of the table. The
features describe the lines of the colours that count, after the placement and on average after the next tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel
from ..board.hexes import FORCED
from ..board.lines import score_lines
from ..board.tiles import showing
from ..encodings import lay
from ..material import COLOURS, SIDES, TILES
from .replies import lengths_at, reply_alone, score_with
from .sets import matching

STANDING = 4  # for each colour: score; squares of the lines that can grow, the longest; best score with one more tile
THREE = len(COLOURS) - 1  # colours in the game; the features of colours that do not count are zeros
# The colours sorted by score, after the placement and on average after the next tile. Then for the tiles to come: the
# share that must fill a gobble, and the share that can raise the score; the score after the greedy reply, on average
# and at best; then tiles touched and open gobbles.
AFTER = STANDING * THREE
COMING = 2 * AFTER
FORCED_SHARE, RISING, SCORE, MOST_SCORE, TOUCH, GOBBLES = range(COMING, COMING + 6)
FEATURES = COMING + 6


@kernel
def describe_placement(tables: Any, action: int, unseen: int, features: Any) -> None:
    """Fill in the features of a placement, (FEATURES,): play it on table 1 of `tables`, go on with table 2."""
    features[TOUCH] = _place(tables[1], action) / SIDES
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
        features[GOBBLES] += 0.2 * (s.touch[f] >= FORCED)
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
    features[FORCED_SHARE] += reply_alone(s, tile, colours, before, unseen)
    _describe_colours(s, unseen & ~(1 << (tile - 1)), colours, features, AFTER)
    score = _score(s, colours)
    features[RISING] += score > before
    features[SCORE] += score / 10.0
    features[MOST_SCORE] = max(features[MOST_SCORE], np.float32(score / 10.0))


@kernel
def _average(features: Any, before: int, come: int) -> None:
    """Turn the sums into averages; if no tile is to come, use the values of the table."""
    for i in range(AFTER):
        features[AFTER + i] = features[AFTER + i] / come if come > 0 else features[i]
    for i in range(FORCED_SHARE, MOST_SCORE):
        features[i] /= max(1, come)
    if come == 0:
        features[SCORE] = features[MOST_SCORE] = before / 10.0


@kernel
def _describe_colours(s: Any, unseen: int, colours: int, features: Any, at: int) -> None:
    """Add the features of each colour that counts."""
    for i in range(THREE):
        if colours >> int(s.colours[i]) & 1:
            _describe_lines(s, int(s.colours[i]), unseen, features, at + STANDING * i)


@kernel
def _describe_lines(s: Any, colour: int, unseen: int, features: Any, at: int) -> None:
    """Add the numbers of STANDING for a colour.

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
    features[at] += s.best[colour] / 10.0
    features[at + 1] += squares / 200.0
    features[at + 2] += longest / 10.0
    features[at + 3] += most / 10.0


@kernel
def _sort_colours(features: Any) -> None:
    """Sort the features of the colours by score, then by squares, highest first, so that names have no effect."""
    for i in range(THREE):
        for j in range(i + 1, THREE):
            one, other = STANDING * i, STANDING * j
            if (features[other], features[other + 1]) > (features[one], features[one + 1]):
                for k in range(STANDING):
                    _swap(features, one + k, other + k)
                    _swap(features, AFTER + one + k, AFTER + other + k)


@kernel
def _swap(features: Any, one: int, other: int) -> None:
    value = features[one]
    features[one] = features[other]
    features[other] = value
