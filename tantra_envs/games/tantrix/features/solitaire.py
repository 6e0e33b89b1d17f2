"""Compute the action features of Solitaire: the result of a placement with each possible next tile.

After the placement the scripted agent places each unseen tile, every one on a copy of the table. The features describe
the lines of the colours that count, after the placement and on average after the next tile.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import kernel
from ..board.hexes import FORCED
from ..board.lines import score_lines
from ..board.tiles import colour_at, linked, nth_rotation, shown
from ..encodings import lay
from ..material import COLOURS, ROTATIONS, SIDES, TILES
from ..modes.solitaire import fits_gobble
from ..rules import legal_actions
from ..scripted import lines
from ..scripted.look import link_score, look_round
from .strategy import add_lines

STANDING = 3  # for each colour: score; value of all lines that can still grow; best score with one more tile
THREE = len(COLOURS) - 1  # colours in the game; the features of colours that do not count are zeros
# The colours sorted by score, after the placement and on average after the next tile. Then for the tiles to come: the
# share that must fill a gobble, and the share that can raise the score; the highest reachable score, on average and at
# best, and the score after the scripted agent's placement; then tiles touched and open gobbles.
AFTER = STANDING * THREE
COMING = 2 * AFTER
FORCED_SHARE, RISING, REACH, MOST_REACH, SCORE, MOST_SCORE, TOUCH, GOBBLES = range(COMING, COMING + 8)
FEATURES = COMING + 8


@kernel
def describe_placement(room: Any, action: int, unseen: Any, mask: Any, work: Any, features: Any) -> None:
    """Fill in the features of a placement, (FEATURES,): play it on table 1 of `room`, go on with table 2."""
    features[TOUCH] = _place(room[1], action) / SIDES
    _look_ahead(room, unseen, mask, work, features)
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
def _look_ahead(room: Any, unseen: Any, mask: Any, work: Any, told: Any) -> None:
    """Describe the second table, then try each tile to come on the third one."""
    _describe_colours(room[1], work, told, 0)
    for f in range(room[1].border_n):
        told[GOBBLES] += 0.2 * (room[1].touch[f] >= FORCED)
    before, come = _score(room[1], work), 0.0
    for tile in range(1, TILES + 1):
        if unseen[tile - 1] == 1:
            room[2] = room[1]
            _try_next(room[2], tile, before, mask, work, told)
            come += 1.0
    _average(told, before, come)


@kernel
def _try_next(s: Any, tile: int, before: int, mask: Any, work: Any, told: Any) -> None:
    """Let the scripted agent place one of the tiles to come; add to the sums and update the maxima."""
    s.hands[0, 0] = tile
    told[FORCED_SHARE] += fits_gobble(s, tile)
    legal_actions(s, mask)
    action = lines.decide(s, mask, work)
    reach = max(before, _reach(s, mask, work.look))
    told[RISING] += reach > before
    told[REACH] += reach / 10.0
    told[MOST_REACH] = max(told[MOST_REACH], np.float32(reach / 10.0))
    _place(s, action)
    _describe_colours(s, work, told, AFTER)
    told[SCORE] += _score(s, work) / 10.0
    told[MOST_SCORE] = max(told[MOST_SCORE], np.float32(_score(s, work) / 10.0))


@kernel
def _average(told: Any, before: int, come: float) -> None:
    """Turn the sums into averages; if no tile is to come, use the values of the table."""
    for i in range(AFTER):
        told[AFTER + i] = told[AFTER + i] / come if come > 0.0 else told[i]
    for i in range(FORCED_SHARE, MOST_SCORE):
        if i != MOST_REACH and come > 0.0:
            told[i] /= come
    if come == 0.0:
        for i in range(REACH, MOST_SCORE + 1):
            told[i] = before / 10.0


@kernel
def _describe_colours(s: Any, work: Any, told: Any, to: int) -> None:
    """Add the features of each colour that counts."""
    look_round(s, 0, work.w.against, work.look)
    for i in range(THREE):
        if work.look.counts[s.colours[i]] > 0.0:
            add_lines(s, i, work, told, to + STANDING * i)


@kernel
def _score(s: Any, work: Any) -> int:
    """Return the best score of the colours that count."""
    best = 0
    for i in range(THREE):
        if work.look.counts[s.colours[i]] > 0.0:
            best = max(best, int(s.best[s.colours[i]]))
    return best


@kernel
def _reach(s: Any, mask: Any, look: Any) -> int:
    """Return the best score that the tile in hand can make at once, in a colour that counts."""
    best, tile = 0, int(s.hands[0, 0])
    for action in range(ROTATIONS * look.spaces):
        f = action // ROTATIONS
        if mask[action] == 1:
            rot = nth_rotation(tile, int(s.facing[f]), action % ROTATIONS)
            for d in range(SIDES):
                far = linked(tile, rot, d)
                if far > d and look.counts[colour_at(shown(tile, rot), d)] > 0.0:
                    best = max(best, int(link_score(look, f, d, far)))
    return best


@kernel
def _sort_colours(told: Any) -> None:
    """Sort the features of the colours by score, then by value, highest first, so that names have no effect."""
    for i in range(THREE):
        for j in range(i + 1, THREE):
            one, other = STANDING * i, STANDING * j
            if told[other] > told[one] or (told[other] == told[one] and told[other + 1] > told[one + 1]):
                for k in range(STANDING):
                    _swap(told, one + k, other + k)
                    _swap(told, AFTER + one + k, AFTER + other + k)


@kernel
def _swap(told: Any, one: int, other: int) -> None:
    kept = told[one]
    told[one] = told[other]
    told[other] = kept
