"""A table of Strategy laid out again from what a seat sees of it, so that it can be played on by the rules.

The observer gets seat 0. The tiles to come stay unknown: who draws one is left with an empty slot. A view calls colours
by names of its own [O2]; which ones they are is found by trying what fits all tiles that are seen.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game
from ...core.state import Record
from .board.hexes import cell_at, close_start, put, spot
from .board.tiles import colour_at, shown
from .material import COLOURS, HAND, SIDES, TILES
from .rules import clear_table
from .state import Phase
from .view import BOARD, SLOT, STEPS

BLOCKS = ("board", "hands", "status", "tiles_to_come", "step", "scores")  # of the view: where they begin is `at`
HELD = 2  # the status of a tile that the observer holds
# All ways to name the colours, three bits a colour, as the view packs them.
NAMINGS = np.array(
    [sum(name << 3 * (i + 1) for i, name in enumerate(names)) for names in permutations(range(1, len(COLOURS) + 1))]
)


def seen_at(game: Game) -> npt.NDArray[np.int64]:
    """Where the blocks of the game's view begin that a table is laid out from."""
    return np.array([game.view[name].start for name in BLOCKS], np.int64)


@kernel
def recall(view: Any, at: Any, s: Record) -> None:
    """Lay out a view in `s`, whose rules and seats are set; where it is of no table nothing can be done."""
    clear_table(s)
    s.phase = Phase.OVER
    names = _naming(view, at, int(s.seats))
    if names == 0:
        return
    for colour in range(1, len(COLOURS) + 1):
        s.colours[colour_at(names, colour) - 1] = colour
    _lay_tiles(view, at[0], names, s)
    _deal_out(view, at, names, s)
    s.bag_n = int(view[at[3]] * TILES + 0.5)
    for i in range(STEPS):
        if view[at[4] + i] > 0:
            s.phase = i


# [Tiles]


@kernel
def _lay_tiles(view: Any, board: int, names: int, s: Record) -> None:
    """Each beside one that lies already, so that the border is never longer than in a game."""
    for _ in range(TILES):
        before = int(s.placed)
        for tile in range(1, TILES + 1):
            here = board + BOARD * (tile - 1)
            if view[here] > 0 and s.cell[tile] == 0:
                cell = cell_at(int(view[here + 1]), int(view[here + 2]))
                if s.placed == 0:
                    close_start(s)
                if s.placed == 0 or s.board[spot(cell)] < 0:
                    put(s, tile, cell, _rotation(view, here + 3, tile, names))
        if s.placed == before:
            return


@kernel
def _deal_out(view: Any, at: Any, names: int, s: Record) -> None:
    """The tiles that seats hold, and their scores."""
    for seat in range(s.seats):
        s.best[s.colours[seat]] = int(view[at[5] + seat] * TILES + 0.5)
        for slot in range(HAND):
            here = at[1] + SLOT * (HAND * seat + slot)
            if view[here] > 0:
                s.hands[seat, slot] = _held(view, at[2], here + 1, seat, names)


# [Names]


@kernel
def _naming(view: Any, at: Any, seats: int) -> int:
    """The first naming that fits all tiles that are seen, 0 = none does."""
    for i in range(len(NAMINGS)):
        if _fits_board(view, at[0], int(NAMINGS[i])) and _fits_hands(view, at, seats, int(NAMINGS[i])):
            return int(NAMINGS[i])
    return 0


@kernel
def _fits_board(view: Any, board: int, names: int) -> bool:
    for tile in range(1, TILES + 1):
        here = board + BOARD * (tile - 1)
        if view[here] > 0 and _rotation(view, here + 3, tile, names) < 0:
            return False
    return True


@kernel
def _fits_hands(view: Any, at: Any, seats: int, names: int) -> bool:
    for i in range(seats * HAND):
        here = at[1] + SLOT * i
        if view[here] > 0 and _held(view, at[2], here + 1, i // HAND, names) == 0:
            return False
    return True


@kernel
def _rotation(view: Any, sides: int, tile: int, names: int) -> int:
    """How a tile is turned that shows these sides, -1 = it never does."""
    for rot in range(SIDES):
        if _shows(view, sides, shown(tile, rot), names):
            return rot
    return -1


@kernel
def _held(view: Any, status: int, sides: int, seat: int, names: int) -> int:
    """The tile that a seat holds and that has these sides, 0 = it holds none."""
    for tile in range(1, TILES + 1):
        if view[status + tile - 1] == HELD + seat and _shows(view, sides, shown(tile, 0), names):
            return tile
    return 0


@kernel
def _shows(view: Any, at: int, sides: int, names: int) -> bool:
    """Are these the sides that the view names?"""
    alike = True
    for d in range(SIDES):
        alike = alike and view[at + d] == colour_at(names, colour_at(sides, d))
    return alike
