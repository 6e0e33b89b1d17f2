"""Build the observation of a seat, in whole numbers: spaces, tiles and hands as a table of entities [O3].

With the encoding `window` the spaces and placed tiles are planes of W * W numbers instead [O4].
All values are relative to the observer [O2]. Seats are counted from the observer. Colour 1 is the observer's colour;
the colours of the following seats and the other colours come next. Coordinates are relative to the middle of the box
round the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.blocks import Block, ViewBlocks
from ...core.compiled.jit import kernel
from ...core.state import Record
from .board.bag import restrained
from .board.hexes import FORCED, middle_q, middle_r, q_of, r_of
from .board.tiles import colour_at, shown
from .encodings import NOWHERE, window_place
from .material import COLOURS, HAND, SIDES, SOLITAIRE_SPACES, STRATEGY_SPACES, TILES
from .modes.gobble import penalty_top
from .puzzle_view import observe_puzzle, puzzle_blocks
from .puzzles.daily import puzzle_of
from .state import MOST_ACTS, Encoding, Mode, Phase, hand_size

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
        Block("hands", players * slots * SLOT, "seat me + i, slot: holds a tile, its colours at rotation 0", high=n),
        Block("status", TILES, "tile t: 0 to come, 1 on the table, 2 + i held by seat me + i; -1 not in the game"
              + ("; i + n on its penalty stack, i + 2n known in its pile" if mode == "gobble" else ""),
              high=1 + players * (3 if mode == "gobble" else 1), low=-1),
        Block("tiles_to_come", 1, "tiles in the bag / 56", scale=TILES),
    )  # fmt: skip
    if mode == "gobble":
        return ViewBlocks(
            *table,
            Block("phase", STEPS, "one-hot: PLACE, BONUS, OFFLOAD"),
            Block("penalty_top", players * SLOT, "seat me + i: has a penalty stack, the colours on its top", high=n),
            Block("penalties", players, "tiles on the penalty stack of seat me + i / 56", scale=TILES),
            Block("piles", players, "tiles in the pile of seat me + i / 56", scale=TILES),
            Block("out", players, "seat me + i is out"),
            Block("acts", 1, "actions left to me in this turn / 9", scale=MOST_ACTS),
        )
    lookahead = config["lookahead"] if mode == "solitaire" else 0
    ahead = (
        [Block("ahead", lookahead * SLOT, "i-th tile to come: there is one, its colours", high=n)] if lookahead else []
    )
    return ViewBlocks(
        *table,
        Block("restrained", 1, "the three restraints hold"),
        Block("step", STEPS, "one-hot: FILL, FREE, REFILL"),
        Block(
            "scores",
            max(players, n - 1 if mode == "solitaire" else 0),
            "score of seat me + i / 56; in Solitaire of the three colours",
            high=0.75 * config["loop_factor"],  # three quarters of the tiles have a colour
            scale=TILES,
        ),
        Block("held", players, "tiles held by seat me + i / 6", scale=HAND),
        *ahead,
    )


def _entities(mode: str) -> tuple[Block, ...]:
    """Return the blocks that list the spaces and the placed tiles one by one."""
    spaces = SOLITAIRE_SPACES if mode == "solitaire" else STRATEGY_SPACES
    n = len(COLOURS)
    return (
        Block("cells", 2 * spaces, "space f: q, r from the middle of the box", high=REACH, low=-REACH),
        Block("cell_facing", SIDES * spaces, "space f: colour shown to it by direction, 0 = none", high=n),
        Block("cell_touch", spaces, "space f: tiles round it; 0 = no such space, or the empty table", high=SIDES),
        Block("cell_gobble", spaces, "space f: has three or more neighbours"),
        Block("board", BOARD * TILES, "tile t: placed, q, r, colours by direction", high=REACH, low=-REACH),
    )


def _planes(across: int) -> tuple[Block, ...]:
    """Return the blocks of the window; cell x, y is number y * W + x of every plane."""
    area = across * across
    return (
        Block("sides", TILED * area, "plane 4 d + c - 1: tiles that show colour c towards direction d"),
        Block("occupied", area, "tiles"),
        Block("gobbles", area, "spaces with three or more neighbours"),
        Block("touch", area, "spaces: tiles round them / 6", scale=SIDES),
        Block("last", area, "the tile placed last"),
    )


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
