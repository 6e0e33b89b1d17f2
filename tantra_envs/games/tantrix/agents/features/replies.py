"""Place tiles by the rules of scoring alone, for the longest line or loop.

The greedy reply is the placement that raises the score most. Of equal placements it is the one that adds most to the
squares of the lines, then the one whose lines could become longest with one more tile at each open end, then the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....core.compiled.jit import kernel
from .....core.compiled.stack import local_zeros
from .....core.state import Record
from ...board.hexes import FORCED, STEPS, find, joins, put, spot
from ...board.lines import follow, score_lines
from ...board.tiles import COLOURED, direction_of, fill_rings, opposite, rotations, showing, shown
from ...material import HAND
from ...modes.strategy import allowed_at, fitting_at, go_on
from .sets import matching, size

RISE = 1 << 16  # weight of the score, more than any square of a line


@kernel
def reply(s: Record, unplaced: int) -> None:
    """Place a tile for the seat to decide in Strategy, and go on; `unplaced` are the tiles not on the table."""
    rings, own = local_zeros(COLOURED, np.int64), local_zeros(COLOURED, np.int64)
    fill_rings(rings, 0, s.hands[s.seat])
    colour = int(s.colours[s.seat])
    score, most, promise, space, place = int(s.best[colour]), -1, -1, 0, 0
    for f in range(s.border_n):
        tiles = fitting_at(s, rings, f)
        if tiles != 0:
            value = _value(s, f, 1 << colour, score, own)
            allowed = allowed_at(s, rings, f, tiles) if value >= most else 0
            promise = -1 if value > most and allowed != 0 else promise
            while allowed != 0:
                bit = size((allowed & -allowed) - 1)  # 6 * rot + slot
                allowed &= allowed - 1
                hope = _promise(s, f, shown(int(s.hands[s.seat, bit % HAND]), bit // HAND), 1 << colour, own, unplaced)
                if hope > promise:
                    most, promise, space, place = value, hope, f, bit
    put(s, int(s.hands[s.seat, place % HAND]), int(s.border[space]), place // HAND)
    go_on(s, place % HAND)


@kernel
def reply_alone(s: Record, tile: int, colours: int, score: int, unplaced: int) -> bool:
    """Place a tile in Solitaire; return whether it had to fill a gobble.

    Args:
        s: The table.
        tile: The tile.
        colours: A bit for each colour that counts.
        score: Their best score.
        unplaced: The tiles not on the table.
    """
    own, forced = local_zeros(COLOURED, np.int64), joins(s, tile, FORCED)
    most, promise, space, turn = -1, -1, 0, 0
    for f in range(s.border_n):
        turns = rotations(tile, int(s.facing[f])) if s.touch[f] >= FORCED or not forced else 0
        if turns != 0:
            value = _value(s, f, colours, score, own)
            turns = turns if value >= most else 0
            promise = -1 if value > most else promise
            while turns != 0:
                rot = size((turns & -turns) - 1)
                turns &= turns - 1
                hope = _promise(s, f, shown(tile, rot), colours, own, unplaced)
                if hope > promise:
                    most, promise, space, turn = value, hope, f, rot
    put(s, tile, int(s.border[space]), turn)
    score_lines(s, tile)
    return forced


# [Spaces]


@kernel
def lengths_at(s: Record, f: int, ends: int) -> tuple[int, int]:
    """Return the lengths of the lines that enter a space by the one or two sides `ends`; 0 = none.

    The first length is negative if its line enters by both sides. Then the second is 0.
    """
    if ends == 0:
        return 0, 0
    cell, other = int(s.border[f]), ends & (ends - 1)
    one = follow(s, cell, direction_of(ends & -ends))
    if other == 0 or one < 0:
        return one, 0
    return one, follow(s, cell, direction_of(other & -other))


@kernel
def score_with(s: Record, one: int, other: int) -> int:
    """Return the score of a tile that joins two lines of these lengths (0 = none), or closes a loop if `one` < 0."""
    return int(s.opt.loop_factor) * (1 - one) if one < 0 else 1 + one + other


# [Values]


@kernel
def _value(s: Record, f: int, colours: int, score: int, own: Any) -> int:
    """Return the rise of the score and of the squares of the lines for a tile in a space.

    Args:
        s: The table.
        f: The space.
        colours: A bit for each colour that counts.
        score: Their best score.
        own: Filled with the score of the line of each colour with the tile, (COLOURED,).
    """
    rise, squares = 0, 0
    for colour in range(1, COLOURED):
        if colours >> colour & 1:
            one, other = lengths_at(s, f, showing(int(s.facing[f]), colour))
            own[colour] = score_with(s, one, other)
            rise = max(rise, own[colour] - score)
            squares += own[colour] ** 2 - one**2 - other**2
    return int(RISE * rise + squares)


@kernel
def _promise(s: Record, f: int, sides: int, colours: int, own: Any, unplaced: int) -> int:
    """Return the sum, over the open ends of a tile's lines, of the length that one more tile there would give.

    Args:
        s: The table.
        f: The space of the tile.
        sides: The sides of the tile.
        colours: A bit for each colour that counts.
        own: See `_value`.
        unplaced: The tiles not on the table.
    """
    hope = 0
    for colour in range(1, COLOURED):
        ends = showing(sides, colour) if colours >> colour & 1 else 0
        while ends != 0:
            hope += _next(s, int(s.border[f]), direction_of(ends & -ends), colour, own[colour], unplaced)
            ends &= ends - 1
    return hope


@kernel
def _next(s: Record, cell: int, d: int, colour: int, own: int, unplaced: int) -> int:
    """Return the length of a line that leaves `cell` in direction `d` with one more tile, 0 if no tile fits."""
    beside = cell + int(STEPS[d])
    at = int(s.board[spot(beside)])
    if at >= 0:
        return own + 1 if at == 0 else 0
    f = find(s, beside)
    facing = int(s.facing[f])
    if matching(facing | colour << (3 * opposite(d))) & unplaced == 0:
        return 0
    one, _ = lengths_at(s, f, showing(facing, colour))
    return own + 1 + abs(one)
