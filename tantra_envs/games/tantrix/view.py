"""Build the observation of a seat, in whole numbers: spaces, tiles and hands as a table of entities [O3].

With the encoding `window` the spaces and placed tiles are planes of W * W numbers instead [O4].
All values are relative to the observer [O2]. Seats are counted from the observer. Colour 1 is the observer's colour;
the colours of the following seats and the other colours come next. Coordinates are relative to the middle of the box
round the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.blocks import Block, ViewBlocks, one_hot
from ...core.compiled.jit import kernel
from ...core.state import Record, States
from .board.bag import restrained
from .board.hexes import FORCED, middle_q, middle_r, q_of, r_of
from .board.tiles import colour_at, shown
from .encodings import NOWHERE, window_place
from .material import COLOURS, HAND, SHOWN, SIDES, SOLITAIRE_SPACES, STRATEGY_SPACES, TILES
from .modes.gobble import penalty_top
from .puzzle_view import coordinates, observe_puzzle, puzzle_blocks, unpacked
from .puzzles.daily import puzzle_of
from .state import MOST_ACTS, Encoding, Mode, Phase, hand_size

Numbers = npt.NDArray[Any]
REACH = 29  # greatest distance of a space from the middle
BOARD = 3 + SIDES  # numbers for each tile on the board
SLOT = 1 + SIDES  # numbers for each slot of a hand
STEPS = 3  # FILL, FREE, REFILL; in Gobble PLACE, BONUS, OFFLOAD
TILED = SIDES * len(COLOURS)  # planes for the sides of tiles; the next plane marks every cell with a tile
GOBBLES, TOUCHING, LAST = TILED + 1, TILED + 2, TILED + 3
PLANES = TILED + 4


def view_blocks(config: Mapping[str, Any]) -> ViewBlocks:
    """Return the table of observation blocks for a configuration."""
    puzzle = puzzle_of(config)
    if puzzle is not None:
        return puzzle_blocks(puzzle)
    mode, players, slots, n = config["mode"], config["players"], hand_size(config["mode"]), len(COLOURS)
    table = (
        *(_planes(config["window"]) if config["encoding"] == "window" else _entities(mode)),
        Block("hands", players * slots * SLOT, "seat me + i, slot: holds a tile, its colours at rotation 0", high=n,
              of=lambda k: _tiles(k, k["hands"][:, :players, :slots])),
        Block("status", TILES, "tile t: 0 to come, 1 on the table, 2 + i held by seat me + i; -1 not in the game"
              + ("; i + n on its penalty stack, i + 2n known in its pile" if mode == "gobble" else ""),
              high=1 + players * (3 if mode == "gobble" else 1), low=-1, of=lambda k: _status(k, players)),
        Block("tiles_to_come", 1, "tiles in the bag / 56", scale=TILES, of=lambda k: k["bag_n"]),
    )  # fmt: skip
    if mode == "gobble":
        return ViewBlocks(
            *table,
            Block("phase", STEPS, "one-hot: PLACE, BONUS, OFFLOAD",
                  of=lambda k: one_hot(np.where(k["over"] == 1, -1, k["phase"] - Phase.PLACE), STEPS)),
            Block("penalty_top", players * SLOT, "seat me + i: has a penalty stack, the colours on its top", high=n,
                  of=lambda k: _tiles(k, _top(k["penalty"], k["penalty_n"])[:, :players])),
            Block("penalties", players, "tiles on the penalty stack of seat me + i / 56", scale=TILES,
                  of=lambda k: k["penalty_n"][:, :players]),
            Block("piles", players, "tiles in the pile of seat me + i / 56", scale=TILES,
                  of=lambda k: k["piles_n"][:, :players]),
            Block("out", players, "seat me + i is out", of=lambda k: k["out"][:, :players] > 0),
            Block("acts", 1, "actions left to me in this turn / 9", scale=MOST_ACTS,
                  of=lambda k: np.maximum(k["acts"], 0) * (k["seat"] == 0)),
        )  # fmt: skip
    lookahead = config["lookahead"] if mode == "solitaire" else 0
    coloured = max(players, n - 1 if mode == "solitaire" else 0)
    ahead = Block("ahead", lookahead * SLOT, "i-th tile to come: there is one, its colours", high=n,
                  of=lambda k: _tiles(k, _ahead(k, lookahead)))  # fmt: skip
    return ViewBlocks(
        *table,
        Block("restrained", 1, "the three restraints hold",
              of=lambda k: (k["opt"]["mode"] == Mode.STRATEGY) & (k["bag_n"] > k["opt"]["unrestrained"])),
        Block("step", STEPS, "one-hot: FILL, FREE, REFILL",
              of=lambda k: one_hot(np.where(k["over"] == 1, -1, k["phase"]), STEPS)),
        Block(
            "scores",
            coloured,
            "score of seat me + i / 56; in Solitaire of the three colours",
            high=0.75 * config["loop_factor"],  # three quarters of the tiles have a colour
            scale=TILES,
            of=lambda k: np.take_along_axis(k["best"], k["colours"][:, :coloured].astype(np.int64), 1),
        ),
        Block("held", players, "tiles held by seat me + i / 6", scale=HAND,
              of=lambda k: (k["hands"][:, :players] > 0).sum(axis=2)),
        *([ahead] if lookahead else []),
    )  # fmt: skip


def _entities(mode: str) -> tuple[Block, ...]:
    """Return the blocks that list the spaces and the placed tiles one by one."""
    spaces = SOLITAIRE_SPACES if mode == "solitaire" else STRATEGY_SPACES
    n = len(COLOURS)
    return (
        Block("cells", 2 * spaces, "space f: q, r from the middle of the box", high=REACH, low=-REACH,
              of=lambda k: (_from_middle(k, k["border"]) * _is_space(k)[..., None])[:, :spaces]),
        Block("cell_facing", SIDES * spaces, "space f: colour shown to it by direction, 0 = none", high=n,
              of=lambda k: (_named(k, k["facing"]) * _is_space(k)[..., None])[:, :spaces]),
        Block("cell_touch", spaces, "space f: tiles round it; 0 = no such space, or the empty table", high=SIDES,
              of=lambda k: (k["touch"] * _is_space(k))[:, :spaces]),
        Block("cell_gobble", spaces, "space f: has three or more neighbours",
              of=lambda k: ((k["touch"] >= FORCED) & _is_space(k))[:, :spaces]),
        Block("board", BOARD * TILES, "tile t: placed, q, r, colours by direction", high=REACH, low=-REACH, of=_board),
    )  # fmt: skip


def _planes(across: int) -> tuple[Block, ...]:
    """Return the blocks of the window; cell x, y is number y * W + x of every plane."""
    area = across * across
    return (
        Block("sides", TILED * area, "plane 4 d + c - 1: tiles that show colour c towards direction d",
              of=lambda k: _window(k, across)[:, :TILED]),
        Block("occupied", area, "tiles", of=lambda k: _window(k, across)[:, TILED]),
        Block("gobbles", area, "spaces with three or more neighbours", of=lambda k: _window(k, across)[:, GOBBLES]),
        Block("touch", area, "spaces: tiles round them / 6", scale=SIDES,
              of=lambda k: _window(k, across)[:, TOUCHING]),
        Block("last", area, "the tile placed last", of=lambda k: _window(k, across)[:, LAST]),
    )  # fmt: skip


# The meanings of blocks that take more than a line


def _named(k: States, sides: Numbers) -> Numbers:
    """Return the colours of packed sides (n, m), shape (n, m, 6): 1 = the own colour, then those of the next seats."""
    names = np.zeros((len(k), 1 + len(COLOURS)), np.int64)
    np.put_along_axis(names, k["colours"].astype(np.int64), np.arange(1, 1 + len(COLOURS))[None], 1)
    colours = unpacked(sides)
    return np.take_along_axis(names, colours.reshape(len(k), -1), 1).reshape(colours.shape)


def _tiles(k: States, tiles: Numbers) -> Numbers:
    """Return for each of the tiles (n, ..) whether there is one, and its colours: shape (n, m, 7)."""
    tiles = tiles.reshape(len(k), -1).astype(np.int64)
    return np.concatenate([(tiles > 0)[..., None], _named(k, SHOWN[SIDES * tiles])], axis=2)


def _top(stacks: Numbers, sizes: Numbers) -> Numbers:
    """Return the last tile of each stack, 0 = none."""
    last = np.take_along_axis(stacks, np.maximum(sizes, 1)[..., None].astype(np.int64) - 1, stacks.ndim - 1)[..., 0]
    return np.where(sizes > 0, last, 0)


def _ahead(k: States, most: int) -> Numbers:
    """Return the next tiles to come, 0 = none."""
    at = k["bag_n"][:, None].astype(np.int64) - 1 - np.arange(most)
    return np.where(at >= 0, np.take_along_axis(k["bag"], np.maximum(at, 0), 1), 0)


def _status(k: States, players: int) -> Numbers:
    """Return the place of every tile. The bag of a concealed table also has the unseen tiles of the piles."""
    status = np.where(k["cell"] > 0, 1, -1)
    for first, zone in ((2, "hands"), (2 + players, "penalty"), (2 + 2 * players, "piles")):
        for seat in range(players):
            status[one_hot(k[zone][:, seat], 1 + TILES).any(axis=1)] = first + seat
    status[one_hot(k["bag"], 1 + TILES).any(axis=1)] = 0
    return status[:, 1:]


def _is_space(k: States) -> Numbers:
    """Return which entries of the border are spaces of a game that goes on."""
    return np.asarray((np.arange(k["border"].shape[1]) < k["border_n"][:, None]) & (k["over"][:, None] == 0))


def _from_middle(k: States, cells: Numbers) -> Numbers:
    """Return q and r of cells (n, m) from the middle of the box of the tiles, shape (n, m, 2)."""
    box = k["box"].astype(np.int64)
    middle = np.stack([box[:, 0] + box[:, 1], box[:, 2] + box[:, 3]], axis=1) // 2
    return np.asarray(coordinates(cells) - middle[:, None])


def _board(k: States) -> Numbers:
    cells, tiles = k["cell"][:, 1:], np.arange(1, 1 + TILES)
    lies, sides = (cells > 0)[..., None], _named(k, SHOWN[SIDES * tiles + k["rot"][:, 1:]])
    return np.concatenate([lies, _from_middle(k, cells), sides], axis=2) * lies


def _window(k: States, across: int) -> Numbers:
    """Return the planes of the window, shape (n, planes, cells)."""
    planes, tiles = np.zeros((len(k), PLANES, across**2), np.int64), np.arange(1, 1 + TILES)
    sides = _named(k, SHOWN[SIDES * tiles + k["rot"][:, 1:]])
    table, tile, place = _in_window(k, k["cell"][:, 1:], k["cell"][:, 1:] > 0, across)
    for d in range(SIDES):
        planes[table, len(COLOURS) * d + sides[table, tile, d] - 1, place] = 1
    planes[table, TILED, place] = 1
    planes[table, LAST, place] = tiles[tile] == k["last"][table]
    table, space, place = _in_window(k, k["border"], _is_space(k), across)
    planes[table, GOBBLES, place] = k["touch"][table, space] >= FORCED
    planes[table, TOUCHING, place] = k["touch"][table, space]
    return planes


def _in_window(k: States, cells: Numbers, wanted: Numbers, across: int) -> tuple[Numbers, Numbers, Numbers]:
    """Return table, index and place in the window of those `wanted` cells (n, m) that lie in it."""
    at = _from_middle(k, cells) + across // 2
    table, index = np.nonzero(wanted & ((at >= 0) & (at < across)).all(axis=2))
    return table, index, at[table, index] @ np.array([1, across])


@kernel
def observe(s: Record, seat: int, view: Any) -> None:
    """Fill `view` with the observation of `seat`: everything except the order of the tiles to come."""
    for i in range(len(view)):
        view[i] = 0
    if s.opt.mode >= Mode.DISCOVERY:
        observe_puzzle(s, view)
        return
    names = _names(s, seat)
    if s.opt.encoding == Encoding.WINDOW:
        at = _see_window(s, view, names)
    else:
        at = _see_border(s, view, names, SOLITAIRE_SPACES if s.opt.mode == Mode.SOLITAIRE else STRATEGY_SPACES)
        _see_board(s, view, names, at)
        at += BOARD * TILES
    status = at + s.seats * s.opt.slots * SLOT
    _see_status(s, view, status)
    _see_hands(s, seat, view, names, at, status)
    view[status + TILES] = s.bag_n
    if s.opt.mode == Mode.GOBBLE:
        _see_stacks(s, seat, view, names, status, status + TILES + 1)
    else:
        at = _see_lines(s, seat, view, status + TILES + 1)
        _see_ahead(s, view, names, at)


@kernel
def _names(s: Record, seat: int) -> int:
    """Return the number of each colour for the observer, packed in three bits for each colour [O2]."""
    names = 0
    owners = int(s.seats) if s.opt.mode == Mode.STRATEGY else 0
    for i in range(len(COLOURS)):
        own = (seat + i) % owners if i < owners else i
        names |= (i + 1) << (3 * s.colours[own])
    return names


@kernel
def _see_colours(sides: int, names: int, view: Any, at: int) -> None:
    for d in range(SIDES):
        view[at + d] = colour_at(names, colour_at(sides, d))


@kernel
def _see_border(s: Record, view: Any, names: int, spaces: int) -> int:
    """Write the spaces and return the index after them."""
    q, r = middle_q(s), middle_r(s)
    facing = 2 * spaces
    touch = facing + SIDES * spaces
    gobble = touch + spaces
    for f in range(0 if s.over else s.border_n):
        cell = int(s.border[f])
        view[2 * f] = q_of(cell) - q
        view[2 * f + 1] = r_of(cell) - r
        _see_colours(int(s.facing[f]), names, view, facing + SIDES * f)
        view[touch + f] = s.touch[f]
        view[gobble + f] = s.touch[f] >= FORCED
    return gobble + spaces


@kernel
def _see_board(s: Record, view: Any, names: int, at: int) -> None:
    """Write the placed tiles."""
    q, r = middle_q(s), middle_r(s)
    for t in range(TILES):
        cell = int(s.cell[t + 1])
        if cell > 0:
            here = at + BOARD * t
            view[here] = 1
            view[here + 1] = q_of(cell) - q
            view[here + 2] = r_of(cell) - r
            _see_colours(shown(t + 1, int(s.rot[t + 1])), names, view, here + 3)


@kernel
def _see_window(s: Record, view: Any, names: int) -> int:
    """Write the tiles and spaces as planes and return the index after them."""
    area = int(s.opt.window) ** 2
    for tile in range(1, TILES + 1):
        place = window_place(s, int(s.cell[tile])) if s.cell[tile] > 0 else NOWHERE
        if place != NOWHERE:
            sides = shown(tile, int(s.rot[tile]))
            for d in range(SIDES):
                plane = len(COLOURS) * d + colour_at(names, colour_at(sides, d)) - 1
                view[plane * area + place] = 1
            view[TILED * area + place] = 1
            view[LAST * area + place] = tile == s.last
    for f in range(0 if s.over else s.border_n):
        place = window_place(s, int(s.border[f]))
        if place != NOWHERE:
            view[GOBBLES * area + place] = s.touch[f] >= FORCED
            view[TOUCHING * area + place] = s.touch[f]
    return PLANES * area


@kernel
def _see_status(s: Record, view: Any, status: int) -> None:
    """Write the status of the tiles on the table and to come; -1 = not in the game.

    The hands and stacks are written later. The bag of a concealed table also contains the unseen tiles of the piles.
    """
    for t in range(TILES):
        view[status + t] = 1 if s.cell[t + 1] > 0 else -1
    i = 0
    while i < TILES and s.bag[i] > 0:
        view[status + s.bag[i] - 1] = 0
        i += 1


@kernel
def _see_hands(s: Record, seat: int, view: Any, names: int, at: int, status: int) -> None:
    for i in range(s.seats):
        for slot in range(s.opt.slots):
            tile = int(s.hands[(seat + i) % s.seats, slot])
            if tile > 0:
                here = at + (i * s.opt.slots + slot) * SLOT
                view[here] = 1
                _see_colours(shown(tile, 0), names, view, here + 1)
                view[status + tile - 1] = 2 + i


@kernel
def _see_stacks(s: Record, seat: int, view: Any, names: int, status: int, at: int) -> None:
    """Write the penalty stacks and the known tiles of the piles in Gobble."""
    n = int(s.seats)
    if s.phase != Phase.OVER:
        view[at + s.phase - Phase.PLACE] = 1
    tops = at + STEPS
    counts = tops + SLOT * n
    for i in range(n):
        of = (seat + i) % n
        for k in range(s.penalty_n[of]):
            view[status + s.penalty[of, k] - 1] = 2 + n + i
        for k in range(s.piles_n[of]):
            tile = int(s.piles[of, k])
            if tile > 0:
                view[status + tile - 1] = 2 + 2 * n + i if s.known[tile] else 0
        if s.penalty_n[of] > 0:
            view[tops + SLOT * i] = 1
            _see_colours(shown(penalty_top(s, of), 0), names, view, tops + SLOT * i + 1)
        view[counts + i] = s.penalty_n[of]
        view[counts + n + i] = s.piles_n[of]
        view[counts + 2 * n + i] = s.out[of] > 0
    view[counts + 3 * n] = max(int(s.acts), 0) if seat == s.seat else 0


@kernel
def _see_lines(s: Record, seat: int, view: Any, at: int) -> int:
    """Write the step of the turn and the scores in Strategy and Solitaire; return the index after them."""
    view[at] = restrained(s)
    if s.phase != Phase.OVER:
        view[at + 1 + s.phase] = 1
    at += 1 + STEPS
    shares = len(COLOURS) - 1 if s.opt.mode == Mode.SOLITAIRE else int(s.seats)
    for i in range(shares):
        view[at + i] = s.best[s.colours[(seat + i) % shares]]
    at += shares
    for i in range(s.seats):
        held = 0
        for slot in range(s.opt.slots):
            held += 1 if s.hands[(seat + i) % s.seats, slot] > 0 else 0
        view[at + i] = held
    return at + int(s.seats)


@kernel
def _see_ahead(s: Record, view: Any, names: int, at: int) -> None:
    """Write the next tiles that are face up in Solitaire [T2]."""
    for i in range(min(int(s.opt.lookahead), int(s.bag_n))):
        view[at + SLOT * i] = 1
        _see_colours(shown(int(s.bag[s.bag_n - 1 - i]), 0), names, view, at + SLOT * i + 1)
