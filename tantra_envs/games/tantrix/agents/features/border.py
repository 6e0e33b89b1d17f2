"""Keep the spaces round the Tantrix, and the lines that end in them, for tiles that are placed and taken up again.

A new tile changes the spaces beside it, and the lengths of the lines that it joins at their two ends. So a placement
takes the same short time on every table. The spaces keep their numbers: those of a table are its `border`, those
opened later follow. A space beside a line is one of its ends; the end of direction `d` at space `f` has the number
8 * f + d. Only the lines of colours that somebody plays are kept.

In this folder `s` is a table, and `b` its border, a record of BORDER. The fields of `s` that are copied to `b` stay as
they were.
"""

from __future__ import annotations

import numpy as np

from .....core.compiled.jit import kernel, leaf
from .....core.compiled.stack import local_zeros
from .....core.state import Record, record
from ...board.hexes import FORCED, OPEN, STEPS, line_of, q_of, r_of, spot
from ...board.tiles import BITS, COLOURED, colour_at, direction_of, fill_rings, linked, opposite, showing, shown
from ...material import COLOURS, HAND, MAX_SPACES, MOST_LOOP, SIDES, TILES
from ...state import SPOTS
from .sets import POWERS, code_of, set_of

SCORES = MOST_LOOP * (TILES - TILES // len(COLOURS)) + 1  # a loop of all tiles with a colour
LAST = 255  # bits of a key with the number of the space
MOST = 256  # spaces of a game, also those that are filled: at most 6 + 3 * 55
EDGES = 8  # numbers of ends for each space
TAKEN = -1  # value on the grid: a tile
GOBBLES = 0  # the list of the gobbles; the list of a colour has its number
BORDER = record(
    [
        ("n", np.int64),  # spaces so far
        ("playing", np.int64),  # a bit for each colour that somebody plays
        ("unplaced", np.int64),  # tiles not on the table
        ("held", np.int64, (len(COLOURS),)),  # tiles in the hand of each seat
        ("slots", np.int64, (len(COLOURS),)),  # their slots, with the bit 6 * rot + slot in each rotation
        ("turns", np.int64, (len(COLOURS) * EDGES * EDGES,)),  # by hand, direction and colour: see `showing_tiles`
        ("fits", np.int64, (MOST,)),  # tiles that match each space, 0 = filled
        ("facing", np.int32, (MOST,)),  # sides shown to it
        ("code", np.int16, (MOST,)),  # these sides as a number with digits of base 5
        ("cell", np.int16, (MOST,)),
        ("touch", np.int8, (MOST,)),
        ("banned", np.int8, (MOST,)),  # a colour that two tiles show to it, 0 = none
        ("lengths", np.int8, (EDGES * MOST,)),  # by end: tiles on its line
        ("others", np.int16, (EDGES * MOST,)),  # by end: the other end of its line
        ("one", np.int8, (COLOURED * MOST,)),  # by colour and space: length of the first line that ends there,
        ("two", np.int8, (COLOURED * MOST,)),  # and of the second: see `_note_lengths`
        ("keys", np.int32, (COLOURED * MAX_SPACES,)),  # lists of spaces, ascending: MOST * cell + space
        ("counts", np.int64, (COLOURED,)),  # length of each list
        ("values", np.int64, (MOST,)),  # for `replies`: by place on a list, in Solitaire by space
        ("hopes", np.int16, (EDGES * EDGES * MOST,)),  # for Solitaire: by end and colour, see `replies.py`
        ("hoped", np.int8, (MOST,)),  # by space: 1 = its hopes are known
        ("reached", np.int64, (SCORES,)),  # for features: by score the unseen tiles that make it, zeros between calls
        ("filled", np.int16, (TILES,)),  # spaces in the order in which they were filled
        ("filled_n", np.int64),
        ("grid", np.int16, (SPOTS * SPOTS,)),  # by spot: 1 + space, 0 = nothing near, or TAKEN
        ("sets", np.int64, (COLOURED**SIDES,)),  # by code: the tiles that match
    ]
)

# [A table]


@kernel
def read_border(s: Record, unseen: int, b: Record) -> None:
    """Fill in the spaces, lines and hands of a table of Strategy or Solitaire."""
    b.n = s.border_n
    b.filled_n = 0
    _read_grid(s, b)
    for kind in range(COLOURED):
        b.counts[kind] = 0
    for f in range(b.n):
        _read_space(s, b, f)
    for f in range(b.n):
        for d in range(SIDES):
            if b.playing >> colour_at(b.facing[f], d) & 1 and b.lengths[EDGES * f + d] == 0:
                _follow(s, b, f, d)
    for f in range(b.n):
        _list_space(b, f)
    b.unplaced = unseen
    for seat in range(s.seats):
        b.held[seat] = set_of(s.hands[seat])
        b.unplaced |= b.held[seat]
        _read_hand(s, b, seat)


@kernel
def _read_hand(s: Record, b: Record, seat: int) -> None:
    """Note the slots of a hand, and the tiles that show each colour in each direction."""
    rings = local_zeros(COLOURED, np.int64)
    fill_rings(rings, 0, s.hands[seat])
    b.slots[seat] = rings[0]
    for d in range(SIDES):
        for colour in range(COLOURED):
            ring = rings[colour]
            turned = ((ring << (HAND * d)) | (ring >> (BITS - HAND * d))) & ((1 << BITS) - 1)
            b.turns[EDGES * (EDGES * seat + d) + colour] = turned


@kernel
def _read_grid(s: Record, b: Record) -> None:
    for i in range(SPOTS * SPOTS):
        b.grid[i] = 0
    for tile in range(1, TILES + 1):
        if s.cell[tile] != 0:
            b.grid[spot(int(s.cell[tile]))] = TAKEN
    for f in range(s.border_n):
        b.grid[spot(int(s.border[f]))] = f + 1


@kernel
def _read_space(s: Record, b: Record, f: int) -> None:
    """Copy a space of the table."""
    facing = int(s.facing[f])
    b.cell[f] = s.border[f]
    b.facing[f] = facing
    b.touch[f] = s.touch[f]
    b.code[f] = code_of(facing)
    b.fits[f] = b.sets[b.code[f]]
    b.banned[f] = max(0, OPEN - int(s.board[spot(int(s.border[f]))]))
    for d in range(SIDES):
        b.lengths[EDGES * f + d] = 0
    for colour in range(COLOURED):
        b.one[MOST * colour + f] = 0
        b.two[MOST * colour + f] = 0


@kernel
def _follow(s: Record, b: Record, f: int, d: int) -> None:
    """Follow a line from one of its ends to the other, and note its length."""
    met, away, at = 0, d, int(s.border[f]) + int(STEPS[d])
    tile = int(s.board[spot(at)])
    while tile > 0:
        met += 1
        away = linked(tile, int(s.rot[tile]), opposite(away))
        at += int(STEPS[away])
        tile = int(s.board[spot(at)])
    _tie(b, EDGES * f + d, EDGES * (b.grid[spot(at)] - 1) + opposite(away), met)


@kernel
def _list_space(b: Record, f: int) -> None:
    """Add a space to the end of the lists of its colours."""
    key = MOST * int(b.cell[f]) + f
    if b.touch[f] >= FORCED:
        _insert(b, GOBBLES, key)
    for colour in range(1, COLOURED):
        if b.playing >> colour & 1 and showing(int(b.facing[f]), colour) != 0:
            _insert(b, colour, key)
            _note_lengths(b, f, colour)


@kernel
def copy_border(b: Record, to: Record) -> None:
    """Copy all but `turns` and `sets`, which do not change, and the grid, which `take_up` restores."""
    to.n, to.playing, to.unplaced, to.filled_n = b.n, b.playing, b.unplaced, b.filled_n
    for f in range(b.n):
        to.fits[f] = b.fits[f]
        to.facing[f] = b.facing[f]
        to.code[f] = b.code[f]
        to.cell[f] = b.cell[f]
        to.touch[f] = b.touch[f]
        to.banned[f] = b.banned[f]
    for end in range(EDGES * b.n):
        to.lengths[end] = b.lengths[end]
        to.others[end] = b.others[end]
    for i in range(len(b.held)):
        to.held[i] = b.held[i]
        to.slots[i] = b.slots[i]
    for i in range(b.filled_n):
        to.filled[i] = b.filled[i]
    for kind in range(COLOURED):
        _copy_list(b, to, kind)


@kernel
def _copy_list(b: Record, to: Record, kind: int) -> None:
    """Copy a list of spaces, and the lengths of the lines of its colour."""
    to.counts[kind] = b.counts[kind]
    for i in range(MAX_SPACES * kind, MAX_SPACES * kind + b.counts[kind]):
        to.keys[i] = b.keys[i]
    if b.playing >> kind & 1 or kind == GOBBLES:
        for i in range(MOST * kind, MOST * kind + b.n):
            to.one[i] = b.one[i]
            to.two[i] = b.two[i]


@kernel
def take_up(b: Record, before: Record) -> None:
    """Restore the grid to what it was at an earlier border."""
    for i in range(before.filled_n, b.filled_n):
        f = int(b.filled[i])
        b.grid[spot(int(b.cell[f]))] = f + 1
    for f in range(before.n, b.n):
        b.grid[spot(int(b.cell[f]))] = 0


# [A tile]


@kernel
def place(s: Record, b: Record, f: int, tile: int, rot: int) -> None:
    """Place a tile in a space, and raise `s.best` to the scores of its lines."""
    cell, sides = int(b.cell[f]), shown(tile, rot)
    _fill(b, f)
    _cover(s, cell)
    b.unplaced &= ~(1 << (tile - 1))
    for d in range(SIDES):
        beside = cell + int(STEPS[d])
        at = int(b.grid[spot(beside)])
        if at != TAKEN:
            _show(b, at - 1 if at > 0 else _open(b, beside), opposite(d), colour_at(sides, d))
    for d in range(SIDES):
        far = linked(tile, rot, d)
        colour = colour_at(sides, d)
        if d < far and b.playing >> colour & 1:
            s.best[colour] = max(int(s.best[colour]), _join(s, b, f, d, far, colour))


@kernel
def _cover(s: Record, cell: int) -> None:
    """Count a tile on its lines of cells, and extend the box."""
    for axis in range(3):
        s.lines[line_of(cell, axis)] += 1
    q, r = q_of(cell), r_of(cell)
    if s.placed == 0:
        s.box[0], s.box[1], s.box[2], s.box[3] = q, q, r, r
    s.box[0], s.box[1] = min(int(s.box[0]), q), max(int(s.box[1]), q)
    s.box[2], s.box[3] = min(int(s.box[2]), r), max(int(s.box[3]), r)
    s.placed += 1


@kernel
def _fill(b: Record, f: int) -> None:
    """Take a space off the lists."""
    cell = int(b.cell[f])
    key = MOST * cell + f
    if b.touch[f] >= FORCED:
        _remove(b, GOBBLES, key)
    for colour in range(1, COLOURED):
        if b.playing >> colour & 1 and showing(int(b.facing[f]), colour) != 0:
            _remove(b, colour, key)
    b.fits[f] = 0
    b.grid[spot(cell)] = TAKEN
    b.filled[b.filled_n] = f
    b.filled_n += 1


@kernel
def _show(b: Record, f: int, d: int, colour: int) -> None:
    """Add a neighbour in direction `d` that shows a colour to a space."""
    facing, key = int(b.facing[f]), MOST * int(b.cell[f]) + f
    if showing(facing, colour) != 0:
        b.banned[f] = max(int(b.banned[f]), colour)
    elif b.playing >> colour & 1:
        _insert(b, colour, key)
    b.facing[f] = facing | colour << (3 * d)
    code = int(b.code[f]) + colour * int(POWERS[d])
    b.code[f] = code
    b.fits[f] = b.sets[code]
    b.touch[f] += 1
    if b.touch[f] == FORCED:
        _insert(b, GOBBLES, key)


@kernel
def _open(b: Record, cell: int) -> int:
    """Add a space that no tile touches yet, and return its number."""
    f = int(b.n)
    b.n = f + 1
    b.cell[f] = cell
    b.facing[f] = b.code[f] = b.touch[f] = b.banned[f] = 0
    for colour in range(COLOURED):
        b.one[MOST * colour + f] = 0
        b.two[MOST * colour + f] = 0
    b.grid[spot(cell)] = f + 1
    return f


# [Lists]


@kernel
def _insert(b: Record, kind: int, key: int) -> None:
    """Insert a space into a list, which stays ascending."""
    first = MAX_SPACES * kind
    i = first + int(b.counts[kind])
    while i > first and b.keys[i - 1] > key:
        b.keys[i] = b.keys[i - 1]
        i -= 1
    b.keys[i] = key
    b.counts[kind] += 1


@kernel
def _remove(b: Record, kind: int, key: int) -> None:
    """Remove a space from a list."""
    i = MAX_SPACES * kind
    while b.keys[i] != key:
        i += 1
    b.counts[kind] -= 1
    for j in range(i, MAX_SPACES * kind + b.counts[kind]):
        b.keys[j] = b.keys[j + 1]


# [Lines]


@kernel
def _join(s: Record, b: Record, f: int, d: int, far: int, colour: int) -> int:
    """Join the lines on both sides of a link of the tile in space `f`; return the score of the line or loop."""
    one, ahead = _end(b, f, d)
    two, behind = _end(b, f, far)
    if one == EDGES * f + far:
        return int(s.opt.loop_factor) * (1 + ahead)
    _tie(b, one, two, 1 + ahead + behind)
    _note_lengths(b, one >> 3, colour)
    _note_lengths(b, two >> 3, colour)
    return 1 + ahead + behind


@kernel
def _end(b: Record, f: int, d: int) -> tuple[int, int]:
    """Return the end of the line that leaves the tile in space `f` in direction `d`, and the length up to there."""
    if colour_at(int(b.facing[f]), d) != 0:
        return int(b.others[EDGES * f + d]), int(b.lengths[EDGES * f + d])
    beside = int(b.grid[spot(int(b.cell[f]) + int(STEPS[d]))]) - 1
    return EDGES * beside + opposite(d), 0


@kernel
def _tie(b: Record, one: int, two: int, length: int) -> None:
    """Note two ends as those of one line."""
    b.others[one] = two
    b.others[two] = one
    b.lengths[one] = length
    b.lengths[two] = length


@kernel
def _note_lengths(b: Record, f: int, colour: int) -> None:
    """Note the lengths of the first two lines of a colour that end in a space.

    The first length is negative if its line leaves the space and comes back to it. Then the second is 0.
    """
    ends, at = showing(int(b.facing[f]), colour), MOST * colour + f
    end, rest = EDGES * f + direction_of(ends & -ends), ends & (ends - 1)
    length = int(b.lengths[end])
    back = rest != 0 and b.others[end] >> 3 == f
    b.one[at] = -length if back else length
    b.two[at] = 0 if back or rest == 0 else b.lengths[EDGES * f + direction_of(rest & -rest)]


# [Hands]


@leaf
def showing_tiles(b: Record, seat: int, d: int, colour: int) -> int:
    """Return the tiles of the first hand of a seat that show a colour (0 = any) in a direction: bit 6 * rot + slot."""
    return int(b.turns[EDGES * (EDGES * seat + d) + colour])


@kernel
def fitting_tiles(b: Record, seat: int, facing: int) -> int:
    """Return the tiles of a hand that match the sides shown, in which rotations: bit 6 * rot + slot."""
    tiles = int(b.slots[seat])
    for d in range(SIDES):
        tiles &= showing_tiles(b, seat, d, colour_at(facing, d))
    return tiles
