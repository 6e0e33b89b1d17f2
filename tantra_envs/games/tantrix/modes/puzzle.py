"""Play the puzzles: place the tiles of a kit, and perhaps remove some, until they form the required shape.

The options of the puzzle are in `s.opt`. The letters W, X and Y are rulings in README.md.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..board.bag import all_colours
from ..board.hexes import STEPS, close_start, facing_at, joins, put, spot, wipe_board
from ..board.lines import follow, link, score_lines
from ..board.tiles import colour_at, fits, matches, shown
from ..encodings import lay, mark, slot_of
from ..material import COLOURS, SIDES, TILES, Task
from ..state import WAYS, Holes, Phase, Reward
from .walk import goes_on, last_tile, mark_ways, open_end, rotation_at

# [Set-up]


@kernel
def deal(s: Record) -> None:
    """Place the tiles that are given at the start [W5, Y1]; nothing is random."""
    all_colours(s)
    s.phase = Phase.FREE
    if s.opt.cells_n > 0:
        close_start(s)
    for i in range(s.opt.kit_n):
        if s.opt.given_cell[i] > 0:
            tile = int(s.opt.kit[i])
            put(s, tile, int(s.opt.given_cell[i]), int(s.opt.given_rot[i]))
            score_lines(s, tile)


# [Actions]


@kernel
def legal(s: Record, mask: Any) -> None:
    """Mark the matching placements of the kit, and with `allow_remove` the removable tiles [W6, X5].

    In a walk a tile goes to the open end, and only the last tile can be removed [W7].
    """
    end = open_end(s) if s.opt.walk else 0
    for i in range(s.opt.kit_n):
        tile = int(s.opt.kit[i])
        if s.cell[tile] > 0:
            if s.opt.allow_remove and s.opt.given_cell[i] == 0:
                mask[s.opt.placements + i] = tile == last_tile(s, end) if s.opt.walk else can_go(s, tile)
        elif s.opt.walk:
            mark_ways(s, end, i, tile, mask)
        else:
            _mark_places(s, i, tile, mask)


@kernel
def _mark_places(s: Record, i: int, tile: int, mask: Any) -> None:
    for f in range(s.border_n if s.opt.cells_n == 0 else 0):
        mark(s, f, i, tile, 0, mask)
    for c in range(s.opt.cells_n):
        if s.board[spot(s.opt.cells[c])] <= 0:
            facing = facing_at(s, int(s.opt.cells[c]))
            for rot in range(SIDES):
                mask[(c * s.opt.kit_n + i) * SIDES + rot] = matches(shown(tile, rot), facing)


@kernel
def can_go(s: Record, tile: int) -> bool:
    """Return whether the other tiles stay connected without a tile; in a fixed shape they need not be connected."""
    if s.opt.cells_n > 0:
        return True
    reached, before = 1, 0
    s.known[s.opt.kit[0]] = 1  # scratch: tiles reached so far
    while reached > before:
        before = reached
        for i in range(s.opt.kit_n):
            other = int(s.opt.kit[i])
            if other != tile and s.cell[other] > 0 and not s.known[other] and _touches_reached(s, other):
                s.known[other] = 1
                reached += 1
    for i in range(s.opt.kit_n):
        s.known[s.opt.kit[i]] = 0
    return bool(reached == s.placed - 1)


@kernel
def _touches_reached(s: Record, tile: int) -> bool:
    for d in range(SIDES):
        beside = int(s.board[spot(s.cell[tile] + STEPS[d])])
        if beside > 0 and s.known[beside]:
            return True
    return False


@kernel
def play(s: Record, action: int) -> None:
    """Place or remove a tile; the puzzle ends when it is solved or no action is left [W6]."""
    if action >= s.opt.placements:
        _take_up(s, int(s.opt.kit[action - s.opt.placements]))
    else:
        _lay(s, action)
    if is_solved(s):
        end(s, 1.0)
    elif not can_go_on(s):
        end(s, 0.0)


@kernel
def _lay(s: Record, action: int) -> None:
    tile = int(s.opt.kit[slot_of(s, action)])
    if s.opt.walk:
        end = open_end(s)
        put(s, tile, end // SIDES, rotation_at(s, end, tile, action % WAYS))
    elif s.opt.cells_n > 0:
        put(s, tile, int(s.opt.cells[action // (SIDES * s.opt.kit_n)]), action % SIDES)
    else:
        lay(s, tile, action)
    score_lines(s, tile)


@kernel
def _take_up(s: Record, tile: int) -> None:
    """Remove a tile and place all others again, because lines and spaces may have changed.

    The tiles can be placed in any order. A cell next to the tiles placed so far ends as a space or holds a later tile,
    so 29 connected tiles have at most 62 + 28 such cells.
    """
    s.cell[tile] = 0
    s.rot[tile] = 0
    wipe_board(s)
    if s.opt.cells_n > 0:
        close_start(s)
    for other in range(1, TILES + 1):
        if s.cell[other] > 0:
            put(s, other, int(s.cell[other]), int(s.rot[other]))
            score_lines(s, other)


@kernel
def can_go_on(s: Record) -> bool:
    """Return whether any action is legal."""
    end = open_end(s) if s.opt.walk else 0
    for i in range(s.opt.kit_n):
        tile = int(s.opt.kit[i])
        if s.cell[tile] > 0:
            if s.opt.allow_remove and s.opt.given_cell[i] == 0:
                return True  # the tile placed last can always be removed
        elif goes_on(s, end, tile) if s.opt.walk else _fits_somewhere(s, tile):
            return True
    return False


@kernel
def _fits_somewhere(s: Record, tile: int) -> bool:
    """Return whether a tile matches any space, or any empty cell of the shape."""
    for c in range(s.opt.cells_n):
        cell = int(s.opt.cells[c])
        if s.board[spot(cell)] <= 0 and fits(tile, facing_at(s, cell)):
            return True
    return bool(s.opt.cells_n == 0 and joins(s, tile, 0))


# [The end]


@kernel
def is_solved(s: Record) -> bool:
    """Return whether all tiles are placed and reach the goal of the puzzle.

    The goal is one loop without holes [W2, W3], one line [X4], or only to fill the cells [Y1].
    """
    n = int(s.opt.kit_n)
    if s.placed < n:
        return False
    if s.opt.task == Task.FILLED:
        return True
    if s.opt.task == Task.LINE:
        return one_line(s)
    whole = 0
    for colour in range(1, len(COLOURS) + 1):
        if (s.opt.colour == 0 or colour == s.opt.colour) and s.best[colour] == 2 * n:  # noqa: PLR1714
            whole = 1
    return whole == 1 and (single_holes(s) if s.opt.holes == Holes.SINGLE else pockets(s)) == 0


@kernel
def one_line(s: Record) -> bool:
    """Return whether the line or loop of the colour through the first tile contains all tiles [X4]."""
    tile = int(s.opt.kit[0])
    cell = int(s.cell[tile])
    for d in range(SIDES):
        if colour_at(shown(tile, int(s.rot[tile])), d) == s.opt.colour:
            ahead = follow(s, cell, d)
            behind = 0 if ahead < 0 else follow(s, cell, link(s, tile, d))
            return bool(abs(ahead) + 1 + behind == s.opt.kit_n)
    return False


@kernel
def single_holes(s: Record) -> int:
    """Return the number of empty cells with six neighbours, which are the holes of the booklet [W3]."""
    found = 0
    for f in range(s.border_n):
        found += s.touch[f] == SIDES
    return found


@kernel
def pockets(s: Record) -> int:
    """Return the number of enclosed empty areas of any size.

    By Euler's formula it is 1 - tiles + contacts - groups of three tiles that touch each other.
    """
    contacts, threes = 0, 0
    for tile in range(1, TILES + 1):
        if s.cell[tile] > 0:
            ne = s.board[spot(s.cell[tile] + STEPS[0])] > 0
            e = s.board[spot(s.cell[tile] + STEPS[1])] > 0
            se = s.board[spot(s.cell[tile] + STEPS[2])] > 0
            contacts += int(ne) + int(e) + int(se)
            threes += int(ne and e) + int(e and se)
    return contacts - threes - int(s.placed) + 1


@kernel
def end(s: Record, reward: float) -> None:
    """End the puzzle with reward 1 if solved; if not, with 0 or the share of tiles placed [W9]."""
    s.over = 1
    s.phase = Phase.OVER
    if reward == 0.0 and s.opt.reward == Reward.MARGIN:
        reward = s.placed / (s.opt.kit_n + 1)
    s.rewards[0] = reward
