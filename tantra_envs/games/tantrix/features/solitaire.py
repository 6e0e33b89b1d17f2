"""What a network may know of each placement in Solitaire: what comes of it with each tile that may come next.

After the placement the scripted agent places each of the tiles that have not been seen, every one on the same table.
How the lines of the colours that count stand after the placement, and on average after the next tile, are the features.
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

STANDING = 3  # of a colour: score; worth of all lines that may still grow; best score one tile could make
THREE = len(COLOURS) - 1  # colours in the game; those that do not count are zeros
# The colours by their scores, after the placement and on average after the next tile. Then of the tiles to come: what
# share must fill a gobble, and with what share the score may rise; what it may rise to, on average and at best, and
# what the scripted player's placement makes of it; then tiles touched and open gobbles.
AFTER = STANDING * THREE
COMING = 2 * AFTER
FORCED_SHARE, RISING, REACH, MOST_REACH, SCORE, MOST_SCORE, TOUCH, GOBBLES = range(COMING, COMING + 8)
FEATURES = COMING + 8


@kernel
def describe_placement(room: Any, action: int, unseen: Any, mask: Any, work: Any, features: Any) -> None:
    """Fill in the features of a placement, (FEATURES,): make it at the second table of `room`, go on at the third."""
    features[TOUCH] = _place(room[1], action) / SIDES
    _look_ahead(room, unseen, mask, work, features)
    _sort_colours(features)


@kernel
def _place(s: Any, action: int) -> int:
    """The tile in hand lies where an action says; how many it touches."""
    tile = int(s.hands[0, 0])
    touched = int(lay(s, tile, action))
    score_lines(s, tile)
    s.hands[0, 0] = 0
    return touched


@kernel
def _look_ahead(room: Any, unseen: Any, mask: Any, work: Any, told: Any) -> None:
    """What stands on the second table, and what comes of it with each tile to come, tried on the third."""
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
    """The scripted player places one of the tiles to come; sums and the best of all are noted."""
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
    """Of sums; after the last tile all is as it stands."""
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
    """Add how the lines of each colour that counts stand."""
    look_round(s, 0, work.w.against, work.look)
    for i in range(THREE):
        if work.look.counts[s.colours[i]] > 0.0:
            add_lines(s, i, work, told, to + STANDING * i)


@kernel
def _score(s: Any, work: Any) -> int:
    """The best of the colours that count."""
    best = 0
    for i in range(THREE):
        if work.look.counts[s.colours[i]] > 0.0:
            best = max(best, int(s.best[s.colours[i]]))
    return best


@kernel
def _reach(s: Any, mask: Any, look: Any) -> int:
    """Return the best score that the tile in hand could make at once, in a colour that counts."""
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
    """By score, then by worth, the highest first: a name is nothing to go by."""
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
