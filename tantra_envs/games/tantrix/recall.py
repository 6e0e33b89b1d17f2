"""A table of Strategy, Solitaire or Gobble laid out again from what a seat sees of it.

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
from .material import COLOURS, SIDES, TILES
from .rules import clear_table
from .state import MOST_ACTS, Mode, Phase
from .view import BOARD, SLOT, STEPS

# Blocks of the view, where they begin is `at`: of all modes, of those with lines, and of Gobble.
BLOCKS = ("board", "hands", "status", "tiles_to_come")
LINES = ("step", "scores")
GOBBLE = ("phase", "penalty_top", "penalties", "piles", "out", "acts")
HELD = 2  # the status of a tile that the observer holds
# All ways to name the colours, three bits a colour, as the view packs them.
NAMINGS = np.array(
    [sum(name << 3 * (i + 1) for i, name in enumerate(names)) for names in permutations(range(1, len(COLOURS) + 1))]
)


def seen_at(game: Game) -> npt.NDArray[np.int64]:
    """Where the blocks of the game's view begin that a table is laid out from."""
    more = GOBBLE if game.config["mode"] == "gobble" else LINES
    return np.array([game.view[name].start for name in BLOCKS + more], np.int64)


def unseen_tiles(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.int8]:
    """A 1 for every tile that is still to come, by its number less one: shape (k, TILES)."""
    return np.ascontiguousarray(views[:, game.view["status"].slice] == 0).view(np.int8)


@kernel
def recall(view: Any, at: Any, s: Record) -> None:
    """Lay out a view in `s`, whose rules and seats are set; where it is of no table nothing can be done."""
    clear_table(s)
    s.phase = Phase.OVER
    names = _naming(view, at, int(s.seats), int(s.opt.slots))
    if names == 0:
        return
    for colour in range(1, len(COLOURS) + 1):
        s.colours[colour_at(names, colour) - 1] = colour
    _lay_tiles(view, at[0], names, s)
    _deal_out(view, at, names, s)
    s.bag_n = _counted(view, at[3])
    first = Phase.PLACE.value if s.opt.mode == Mode.GOBBLE else Phase.FILL.value
    for i in range(STEPS):
        if view[at[4] + i] > 0:
            s.phase = first + i
    if s.opt.mode == Mode.GOBBLE:
        _stack(view, at, names, s)
    else:
        _score(view, at[5], s)


@kernel
def _counted(view: Any, at: int) -> int:
    """Tiles that the view has as a share of all."""
    return int(view[at] * TILES + 0.5)


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
    """The tiles that seats hold."""
    for seat in range(s.seats):
        for slot in range(s.opt.slots):
            here = at[1] + SLOT * (s.opt.slots * seat + slot)
            if view[here] > 0:
                s.hands[seat, slot] = _seen(view, at[2], HELD + seat, here + 1, names)


@kernel
def _score(view: Any, scores: int, s: Record) -> None:
    """The scores of the seats; alone those of the three colours."""
    for i in range(len(COLOURS) - 1 if s.opt.mode == Mode.SOLITAIRE else s.seats):
        s.best[s.colours[i]] = _counted(view, scores + i)


# [Piles and stacks of Gobble]


@kernel
def _stack(view: Any, at: Any, names: int, s: Record) -> None:
    """What seats own beside the tile in hand, and who is out; of the order only the top of a stack is seen."""
    n = int(s.seats)
    for seat in range(n):
        s.piles_n[seat] = _counted(view, at[7] + seat)
        _pile_up(view, at[2], HELD + 2 * n + seat, s.piles[seat])
        s.penalty_n[seat] = _counted(view, at[6] + seat)
        _pile_up(view, at[2], HELD + n + seat, s.penalty[seat])
        if s.penalty_n[seat] > 0:
            _turn_up(s, seat, _seen(view, at[2], HELD + n + seat, at[5] + SLOT * seat + 1, names))
        if view[at[8] + seat] > 0:
            s.gone += 1
            s.out[seat] = s.gone
    for tile in range(1, TILES + 1):
        s.known[tile] = view[at[2] + tile - 1] >= HELD + 2 * n
    s.acts = int(view[at[9]] * MOST_ACTS + 0.5)


@kernel
def _pile_up(view: Any, status: int, wanted: int, tiles: Any) -> None:
    """The tiles of a status, ascending."""
    n = 0
    for tile in range(1, TILES + 1):
        if view[status + tile - 1] == wanted:
            tiles[n] = tile
            n += 1


@kernel
def _turn_up(s: Record, seat: int, top: int) -> None:
    """A tile of a penalty stack comes to its top."""
    last = s.penalty_n[seat] - 1
    for i in range(last):
        if s.penalty[seat, i] == top:
            s.penalty[seat, i] = s.penalty[seat, last]
    s.penalty[seat, last] = top


# [Names]


@kernel
def _naming(view: Any, at: Any, seats: int, slots: int) -> int:
    """The first naming that fits all tiles that are seen, 0 = none does."""
    for i in range(len(NAMINGS)):
        names = int(NAMINGS[i])
        if _fits_board(view, at[0], names) and _fits_hands(view, at, seats, slots, names):
            return names
    return 0


@kernel
def _fits_board(view: Any, board: int, names: int) -> bool:
    for tile in range(1, TILES + 1):
        here = board + BOARD * (tile - 1)
        if view[here] > 0 and _rotation(view, here + 3, tile, names) < 0:
            return False
    return True


@kernel
def _fits_hands(view: Any, at: Any, seats: int, slots: int, names: int) -> bool:
    for i in range(seats * slots):
        here = at[1] + SLOT * i
        if view[here] > 0 and _seen(view, at[2], HELD + i // slots, here + 1, names) == 0:
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
def _seen(view: Any, status: int, wanted: int, sides: int, names: int) -> int:
    """The tile of a status that has these sides, 0 = there is none."""
    for tile in range(1, TILES + 1):
        if view[status + tile - 1] == wanted and _shows(view, sides, shown(tile, 0), names):
            return tile
    return 0


@kernel
def _shows(view: Any, at: int, sides: int, names: int) -> bool:
    """Are these the sides that the view names?"""
    alike = True
    for d in range(SIDES):
        alike = alike and view[at + d] == colour_at(names, colour_at(sides, d))
    return alike
