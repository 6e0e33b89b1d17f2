"""Place tiles by the rules of scoring alone, for the longest line or loop.

The greedy reply is the placement that raises the score most. Of equal placements it is the one that adds most to the
squares of the lines, then the one whose lines could become longest with one more tile at each open end, then the first.
"""

from __future__ import annotations

import numpy as np

from .....core.compiled.jit import kernel
from .....core.compiled.stack import local_zeros
from .....core.state import Record
from ...board.bag import restrained
from ...board.hexes import FORCED, STEPS, spot, stays_sound
from ...board.tiles import COLOURED, EVERY_TURN, colour_at, opposite, rotations, showing, shown
from ...encodings import NOWHERE, window_place
from ...material import HAND, MAX_SPACES, SIDES
from ...modes.strategy import skip_step
from ...state import Encoding, Phase
from .border import EDGES, GOBBLES, LAST, MOST, fitting_tiles, place, showing_tiles
from .sets import POWERS, size

RISE = 1 << 16  # weight of the score, more than any square of a line
NONE = -1  # no placement
BITS = 64  # a placement is BITS * space + 6 * rot + slot


@kernel
def reply(s: Record, b: Record) -> None:
    """Place a tile for the seat to decide in Strategy, and go on."""
    chosen = _choose(s, b, int(s.colours[s.seat]))
    bit = chosen % BITS
    play_on(s, b, chosen // BITS, bit % HAND, bit // HAND)


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
        if _allowed_at(s, b, i if free else b.keys[i] & LAST) != 0:
            return True
    return False


@kernel
def _stop_outside_window(s: Record, b: Record) -> None:
    """End the game if no legal placement is inside the window [O4]."""
    for f in range(b.n):
        may = s.phase == Phase.FREE or b.touch[f] >= FORCED
        if may and window_place(s, int(b.cell[f])) != NOWHERE and _allowed_at(s, b, f) != 0:
            return
    s.over = 1


# [Placements]


@kernel
def _allowed_at(s: Record, b: Record, f: int) -> int:
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
    """Return the greedy placement of the seat to decide, see BITS."""
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
            allowed = _allowed_at(s, b, f)
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
            allowed = _allowed_at(s, b, f)
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
    """Return the result of `_promise_at` for a space beside no line of the colour: both ends of a tile's line count."""
    hopes, promise, first, rest = local_zeros(SIDES, np.int64), -1, 0, allowed
    for d in range(SIDES):
        if allowed & showing_tiles(b, int(s.seat), d, colour) != 0:
            hopes[d] = _next_length(b, f, d, colour, 1)
    for d in range(SIDES):
        leaving = allowed & showing_tiles(b, int(s.seat), d, colour)
        for e in range(d + 1, SIDES if leaving != 0 else 0):
            both = leaving & showing_tiles(b, int(s.seat), e, colour)
            if both != 0:
                rest &= ~both
                hope, bit = hopes[d] + hopes[e], both & -both
                if hope > promise or (hope == promise and bit < first):
                    promise, first = hope, bit
    bit = rest & -rest  # the first without the colour
    if bit != 0 and (promise < 0 or (promise == 0 and bit < first)):
        promise, first = 0, bit
    return promise, size(first - 1)


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


# [Solitaire]


@kernel
def note_values(s: Record, b: Record, score: int) -> None:
    """Note the values of all spaces for the colours that count, whose best score is `score`; no hopes are known yet."""
    for f in range(b.n):
        b.hoped[f] = 0
        rise, squares = 0, 0
        for colour in range(1, COLOURED):
            if b.playing >> colour & 1:
                one, two = int(b.one[MOST * colour + f]), int(b.two[MOST * colour + f])
                own = score_with(s, one, two)
                rise = max(rise, own - score)
                squares += own * own - one * one - two * two
        b.values[f] = RISE * rise + squares


@kernel
def reply_alone(s: Record, b: Record, tile: int) -> bool:
    """Place a tile in Solitaire by the noted values; return whether it had to fill a gobble."""
    forced, most, promise, space, turn = _fills(b, tile), -1, -1, 0, 0
    for f in range(b.n):
        if b.fits[f] >> (tile - 1) & 1 and b.values[f] >= most and (b.touch[f] >= FORCED or not forced):
            promise = -1 if b.values[f] > most else promise
            most = int(b.values[f])
            turns = rotations(tile, int(b.facing[f]))
            while turns != 0:
                rot = size((turns & -turns) - 1)
                turns &= turns - 1
                hope = _promise_alone(s, b, f, shown(tile, rot))
                if hope > promise or (hope == promise and b.cell[f] < b.cell[space]):
                    promise, space, turn = hope, f, rot
    place(s, b, space, tile, turn)
    return forced


@kernel
def _fills(b: Record, tile: int) -> bool:
    """Return whether a tile fits a gobble."""
    tiles = 0
    for i in range(b.counts[GOBBLES]):
        tiles |= int(b.fits[b.keys[i] & LAST])
    return tiles >> (tile - 1) & 1 == 1


@kernel
def _promise_alone(s: Record, b: Record, f: int, sides: int) -> int:
    """Return the sum of the lengths that one more tile at each open end of a tile with these sides would give."""
    if b.hoped[f] == 0:
        _note_hopes(s, b, f)
    hope = 0
    for d in range(SIDES):
        hope += int(b.hopes[EDGES * (EDGES * f + d) + colour_at(sides, d)])
    return hope


@kernel
def _note_hopes(s: Record, b: Record, f: int) -> None:
    """Note what each side of a tile in a space promises by its colour, as `_next_length`; 0 if it does not count."""
    b.hoped[f] = 1
    for colour in range(1, COLOURED):
        own = score_with(s, int(b.one[MOST * colour + f]), int(b.two[MOST * colour + f]))
        for d in range(SIDES):
            hope = _next_length(b, f, d, colour, own) if b.playing >> colour & 1 else 0
            b.hopes[EDGES * (EDGES * f + d) + colour] = hope


@kernel
def score_with(s: Record, one: int, two: int) -> int:
    """Return the score of a tile that joins two lines of these lengths (0 = none), or closes a loop if `one` < 0."""
    return int(s.opt.loop_factor) * (1 - one) if one < 0 else 1 + one + two
