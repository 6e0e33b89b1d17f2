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
from ...board.bag import restrained
from ...board.hexes import FORCED, STEPS, find, joins, put, spot, stays_sound
from ...board.lines import follow, score_lines
from ...board.tiles import COLOURED, EVERY_TURN, direction_of, opposite, rotations, showing, shown
from ...encodings import NOWHERE, window_place
from ...material import HAND, MAX_SPACES, SIDES
from ...modes.strategy import skip_step
from ...state import Encoding, Phase
from .border import GOBBLES, LAST, MOST, fitting_tiles, place, showing_tiles
from .sets import POWERS, matching, size

RISE = 1 << 16  # weight of the score, more than any square of a line
NONE = -1  # no placement
BITS = 64  # more than the bits of a hand in all rotations


@kernel
def reply(s: Record, b: Record) -> None:
    """Place a tile for the seat to decide in Strategy, and go on."""
    chosen = _choose(s, b, int(s.colours[s.seat]))
    play_on(s, b, chosen >> 6, (chosen & 63) % HAND, (chosen & 63) // HAND)


@kernel
def play_on(s: Record, b: Record, f: int, slot: int, rot: int) -> None:
    """Place a tile of the seat to decide in Strategy, and go on to the next decision; what it draws is unknown."""
    seat = int(s.seat)
    tile = int(s.hands[seat, slot])
    place(s, b, f, tile, rot)
    s.hands[seat, slot] = 0
    s.bag_n = max(0, s.bag_n - 1)
    b.held[seat] &= ~(1 << (tile - 1))
    b.slots[seat] &= ~(EVERY_TURN << slot)
    if s.phase == Phase.FREE:
        s.phase = Phase.REFILL
    _run_on(s, b)


@kernel
def _run_on(s: Record, b: Record) -> None:
    """Skip the steps without a legal placement until the next decision or the end."""
    passes = 0
    while not s.over and not _can_place(s, b):
        passes = skip_step(s, passes)
    if not s.over and s.opt.encoding == Encoding.WINDOW:
        _stop_outside_window(s, b)


@kernel
def _can_place(s: Record, b: Record) -> bool:
    """Return whether a placement is legal in this step."""
    free = s.phase == Phase.FREE
    for i in range(b.n if free else b.counts[GOBBLES]):
        if allowed_at(s, b, i if free else b.keys[i] & LAST) != 0:
            return True
    return False


@kernel
def _stop_outside_window(s: Record, b: Record) -> None:
    """End the game if no legal placement is inside the window [O4]."""
    for f in range(b.n):
        may = s.phase == Phase.FREE or b.touch[f] >= FORCED
        if may and window_place(s, int(b.cell[f])) != NOWHERE and allowed_at(s, b, f) != 0:
            return
    s.over = 1


# [Placements]


@kernel
def allowed_at(s: Record, b: Record, f: int) -> int:
    """Return the tiles of the seat to decide that may be placed in a space now, in which rotations."""
    if b.fits[f] & b.held[s.seat] == 0:
        return 0
    seat, facing = int(s.seat), int(b.facing[f])
    if not restrained(s):
        return fitting_tiles(b, seat, facing)
    cell = int(b.cell[f])
    if not stays_sound(s, cell, facing):
        return 0
    tiles = fitting_tiles(b, seat, facing)
    for d in range(SIDES):
        at = int(b.grid[spot(cell + int(STEPS[d]))])
        if at > 0 and b.banned[at - 1] > 0:
            tiles &= ~showing_tiles(b, seat, d, int(b.banned[at - 1]))
    return tiles


@kernel
def _choose(s: Record, b: Record, colour: int) -> int:
    """Return the greedy placement of the seat to decide: BITS * space + 6 * rot + slot."""
    kind = colour if s.phase == Phase.FREE else GOBBLES
    value, chosen = _rate(s, b, kind, colour), NONE
    while value >= 0:
        chosen = _choose_of(s, b, kind, colour, value)
        if chosen != NONE:
            return chosen
        value = _next_value(b, kind, value)
    return _choose_without(s, b, colour)


@kernel
def _rate(s: Record, b: Record, kind: int, colour: int) -> int:
    """Fill in the values of the spaces of a list, NONE = no tile of the hand fits; return the highest."""
    score, highest, held = int(s.best[colour]), NONE, int(b.held[s.seat])
    for i in range(b.counts[kind]):
        f = int(b.keys[MAX_SPACES * kind + i]) & LAST
        value = NONE
        if b.fits[f] & held != 0:
            one, two = int(b.one[MOST * colour + f]), int(b.two[MOST * colour + f])
            own = score_with(s, one, two)
            value = RISE * max(0, own - score) + own * own - one * one - two * two
        b.values[i] = value
        highest = max(highest, value)
    return highest


@kernel
def _next_value(b: Record, kind: int, bound: int) -> int:
    """Return the highest value below a bound on a list, NONE = there is no such value."""
    highest = NONE
    for i in range(b.counts[kind]):
        if b.values[i] < bound:
            highest = max(highest, int(b.values[i]))
    return highest


@kernel
def _choose_of(s: Record, b: Record, kind: int, colour: int, value: int) -> int:
    """Return the first placement with the most promise in the spaces of a value, NONE = none is allowed."""
    chosen, promise = NONE, -1
    for i in range(b.counts[kind]):
        if b.values[i] == value:
            f = int(b.keys[MAX_SPACES * kind + i]) & LAST
            allowed = allowed_at(s, b, f)
            if allowed != 0:
                hope, bit = _promise_at(s, b, f, colour, allowed)
                if hope > promise:
                    chosen, promise = BITS * f + bit, hope
    return chosen


@kernel
def _choose_without(s: Record, b: Record, colour: int) -> int:
    """Return the first free placement with the most promise in the spaces that do not show a colour."""
    chosen, promise, first = NONE, -1, 0
    for f in range(b.n):
        if showing(int(b.facing[f]), colour) == 0:
            allowed = allowed_at(s, b, f)
            if allowed != 0:
                hope, bit = _promise_at(s, b, f, colour, allowed)
                if hope > promise or (hope == promise and b.cell[f] < first):
                    chosen, promise, first = BITS * f + bit, hope, int(b.cell[f])
    return chosen


@kernel
def _promise_at(s: Record, b: Record, f: int, colour: int, allowed: int) -> tuple[int, int]:
    """Return the most promise of the allowed placements in a space, and the first with it as 6 * rot + slot."""
    own = score_with(s, int(b.one[MOST * colour + f]), int(b.two[MOST * colour + f]))
    if showing(int(b.facing[f]), colour) == 0:
        return _promise_of_both(s, b, f, colour, allowed)
    promise, first = -1, 0
    for d in range(SIDES):
        leaving = allowed & showing_tiles(b, int(s.seat), d, colour)
        if leaving != 0:
            hope, bit = _next_length(b, f, d, colour, own), leaving & -leaving
            if hope > promise or (hope == promise and bit < first):
                promise, first = hope, bit
    return promise, size(first - 1)


@kernel
def _promise_of_both(s: Record, b: Record, f: int, colour: int, allowed: int) -> tuple[int, int]:
    """Return the same for a space beside no line of the colour: both ends of a line of the tile count."""
    hopes, promise, first, rest = local_zeros(SIDES, np.int64), 0, 0, allowed
    for d in range(SIDES):
        if allowed & showing_tiles(b, int(s.seat), d, colour) != 0:
            hopes[d] = _next_length(b, f, d, colour, 1)
    for d in range(SIDES):
        leaving = allowed & showing_tiles(b, int(s.seat), d, colour)
        for e in range(d + 1, SIDES):
            both = leaving & showing_tiles(b, int(s.seat), e, colour)
            if both != 0:
                rest &= ~both
                hope, bit = hopes[d] + hopes[e], both & -both
                if hope > promise or (hope == promise and (first == 0 or bit < first)):
                    promise, first = hope, bit
    bit = rest & -rest  # without the colour
    return promise, size((bit if promise == 0 and bit != 0 and (first == 0 or bit < first) else first) - 1)


@kernel
def _next_length(b: Record, f: int, d: int, colour: int, own: int) -> int:
    """Return the length of a line that leaves a space in direction `d` with one more tile, 0 if no tile fits.

    The line has the length `own` with the tile in the space.
    """
    at = int(b.grid[spot(int(b.cell[f]) + int(STEPS[d]))])
    if at <= 0:
        return own + 1 if at == 0 else 0
    code = int(b.code[at - 1]) + colour * int(POWERS[opposite(d)])
    if b.sets[code] & b.unplaced == 0:
        return 0
    return own + 1 + abs(int(b.one[MOST * colour + at - 1]))


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
