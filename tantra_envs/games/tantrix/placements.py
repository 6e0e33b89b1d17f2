"""Placements in plain numbers (tile, q, r, rot), for people and tools: what is legal, why not, and what lines score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...core.compiled.jit import entry_point, kernel
from ...core.game import Game
from ...core.state import Record, States
from . import building, gobble, solitaire, strategy
from .actions import WAYS
from .encodings import action_of, rotation_of, slot_of, space_of
from .hexes import FORCED, STEPS, banned_sides, cell_at, close_start, facing_at, find, put, spot, stays_sound
from .lines import follow, score_lines
from .material import COLOURS, DIRECTIONS, SIDES, TILES
from .rules import clear_table
from .state import DISCOVERY, GOBBLE, HOLES, ORIGIN, PLACE, ROW, SOLITAIRE, STATE, STRATEGY
from .tiles import clashes, matches, shown
from .walk import open_end, rotation_at, side_of

Placement = tuple[int, int, int, int]  # tile, q, r, rot
Board = Iterable[Sequence[int]]
REASONS = (None, "occupied", "touch", "match", "R1", "R2", "R3")
FAR = ORIGIN - 4  # cells further out have no number


def legal_placements(state: States) -> list[Placement]:
    """Everything the rules allow the seat to decide, sorted; on the empty table that is any rotation (S4)."""
    s = state[0]
    if s["over"] or (s["opt"]["mode"] == GOBBLE and s["phase"] != PLACE):
        return []
    hand = _tiles_to_place(s)
    cells = [place_of(cell) for cell in _spaces(s)]
    found = [(tile, q, r, rot) for tile in hand for q, r in cells for rot in range(SIDES)]
    return sorted(placement for placement in found if _in_this_step(state, placement))


def _tiles_to_place(s: Any) -> list[int]:
    """The hand; in a puzzle the tiles of the kit that do not lie yet."""
    if s["opt"]["mode"] >= DISCOVERY:
        return [int(tile) for tile in s["opt"]["kit"] if tile and not s["cell"][tile]]
    return [int(tile) for tile in s["hands"][s["seat"]] if tile]


def _spaces(s: Any) -> list[int]:
    """The border; in a puzzle with a shape its empty cells."""
    shape = s["opt"]["cells"][: s["opt"]["cells_n"]].tolist()
    if not shape:
        return list(s["border"][: s["border_n"]].tolist())
    return [cell for cell in shape if cell not in s["cell"]]


def why_illegal(state: States, tile: int, q: int, r: int, rot: int) -> str | None:
    """The first rule a placement would break, whoever holds the tile and whatever the step (R6); None if none."""
    if not 1 <= tile <= TILES or rot not in range(SIDES):
        raise ValueError(f"tantrix: tile={tile}, rot={rot} is not allowed; allowed: 1..{TILES}, 0..{SIDES - 1}")
    if max(abs(q), abs(r)) > FAR:
        return "touch"
    return REASONS[_reason(state, 0, tile, cell_at(q, r), rot)]


def encode(game: Game, state: States, placement: Placement, block: str = "place") -> int:
    """The action id of a placement; ValueError if it has none: wrong tile, space or rotation.

    `block` "penalty" (Gobble race): of the tile on top of the penalty stack.
    """
    tile, q, r, rot = placement
    near = 1 <= tile <= TILES and max(abs(q), abs(r)) <= FAR and rot in range(SIDES)
    stack = block == "penalty"
    action = int(_encode(state, 0, stack, tile, cell_at(q, r), rot)) if near else -1
    if not 0 <= action < game.actions[block].size:
        raise ValueError(f"{game.name}: {tile}:{q},{r}/{rot} names no action: no such tile in hand, space or match")
    return game.actions[block].start + action


def decode(game: Game, state: States, action: int) -> Placement | None:
    """The placement of an action id, None if it stands for none now."""
    block = game.actions.at(action)
    if block.name not in ("place", "penalty"):
        return None
    found = int(_decode(state, 0, block.name == "penalty", action - block.start))
    if found < 0:
        return None
    return (found >> 20, *place_of(found >> 4 & 0xFFFF), found & 15)


def scores(state: States) -> list[int]:
    """The score of each seat (D8, T5); in Gobble minus the tiles it still has to get rid of."""
    s = state[0]
    if s["opt"]["mode"] >= DISCOVERY:
        colour = int(s["opt"]["colour"])
        return [int(s["best"][colour] if colour else s["best"].max())]
    if s["opt"]["mode"] == GOBBLE:
        owned = s["piles_n"].astype(int) + s["penalty_n"] + (s["hands"][:, 0] > 0)
        return [-int(tiles) for tiles in owned[: s["seats"]]]
    if s["opt"]["mode"] == SOLITAIRE:
        goal = int(s["opt"]["goal"])
        return [int(s["best"][goal] if goal else s["best"].max())]
    return [int(s["best"][s["colours"][seat]]) for seat in range(s["seats"])]


def score_board(board: Board, colour: str) -> int:
    """The score of a colour's longest line or loop on a board of [tile, q, r, rot]."""
    longest = 0
    for part in parts(board):
        state = np.zeros(1, STATE)
        lay_out(state, part)
        longest = max(longest, int(state[0]["best"][COLOURS.index(colour) + 1]))
    return longest


def check_solution(board: Board, colour: str | None = None, holes: str = "none") -> bool:
    """Is a board of matching tiles one loop of the colour (None: any) through all of them, without holes (W2, W3)?

    The board is taken to match: positions check that.
    """
    tiles = [list(entry) for entry in board]
    if len(parts(tiles)) != 1:
        return False
    state = np.zeros(1, STATE)
    opt = state[0]["opt"]
    opt["kit_n"] = len(tiles)
    opt["colour"] = COLOURS.index(colour) + 1 if colour else 0
    opt["holes"] = HOLES.index(holes)
    lay_out(state, tiles)
    return bool(is_solved(state))


@entry_point
def can_go_on(states: Any) -> bool:
    """Has a puzzle a legal action?"""
    return building.can_go_on(states[0])


@entry_point
def walked(states: Any) -> int:
    """Tiles on the line that leaves the first tile of a walk [W7]."""
    s: Record = states[0]
    return 1 + follow(s, int(s.opt.kit[0]), side_of(s, int(s.opt.kit[0]), 0))


@entry_point
def is_solved(states: Any) -> bool:
    """Is a puzzle done?"""
    return building.is_solved(states[0])


def lay_out(state: States, board: Board) -> None:
    """Clear the table and lay these tiles on it, which touch or lie in a shape.

    Each goes beside one that lies already: otherwise the border might meanwhile be longer than in any game.
    """
    ordered = [entry for part in parts(board) for entry in part]
    tiles = np.array([[tile, cell_at(q, r), rot] for tile, q, r, rot in ordered], np.int64).reshape(-1, 3)
    _lay_out(state, tiles)


def parts(board: Board) -> list[list[Sequence[int]]]:
    """Connected tiles of a board, in an order in which each but the first touches one before it."""
    left = {(entry[1], entry[2]): entry for entry in board}
    found = []
    while left:
        part = [left.pop(next(iter(left)))]
        for _, q, r, _ in part:  # it grows meanwhile
            part += [left.pop((q + dq, r + dr)) for dq, dr in DIRECTIONS if (q + dq, r + dr) in left]
        found.append(part)
    return found


def place_of(cell: int) -> tuple[int, int]:
    """(q, r) of a cell."""
    return cell % ROW - ORIGIN, cell // ROW - ORIGIN


def _in_this_step(state: States, placement: Placement) -> bool:
    tile, q, r, rot = placement
    return bool(_allowed(state, 0, tile, cell_at(q, r), rot))


@entry_point
def _lay_out(states: Any, tiles: Any) -> None:
    s: Record = states[0]
    clear_table(s)
    if s.opt.cells_n > 0 or len(tiles) > 0:
        close_start(s)  # which need not be near them
    for k in range(len(tiles)):
        tile = int(tiles[k, 0])
        put(s, tile, int(tiles[k, 1]), int(tiles[k, 2]))
        score_lines(s, tile)


@entry_point
def _allowed(states: Any, i: int, tile: int, cell: int, rot: int) -> bool:
    """May the seat to decide lay a tile on a space of the border in this step?"""
    s: Record = states[i]
    f = find(s, cell)
    sides = shown(tile, rot)
    if not matches(sides, facing_at(s, cell)):
        return False
    if s.opt.walk:
        return _way_of(s, tile, cell, rot) >= 0
    if s.opt.mode >= DISCOVERY:
        return True
    if s.opt.mode == GOBBLE:
        return bool(s.touch[f] >= gobble.JOINED)
    if s.opt.mode == SOLITAIRE:
        return s.touch[f] >= FORCED or not solitaire.fits_gobble(s, tile)
    banned = strategy.banned_at(s, f)
    return banned != strategy.CLOSED and not clashes(sides, banned)


@entry_point
def _reason(states: Any, i: int, tile: int, cell: int, rot: int) -> int:
    """Index in REASONS."""
    s: Record = states[i]
    if s.board[spot(cell)] > 0 and s.placed > 0 and _lies(s, cell):
        return 1
    f = find(s, cell)
    if s.opt.cells_n > 0:
        if shape_index(s, cell) < 0:
            return 2
    elif f >= s.border_n or s.border[f] != cell or (s.opt.mode == GOBBLE and s.touch[f] < gobble.JOINED):
        return 2
    sides = shown(tile, rot)
    if not matches(sides, facing_at(s, cell)):
        return 3
    if s.opt.mode != STRATEGY or s.bag_n == 0:
        return 0
    if clashes(sides, banned_sides(s, cell)):
        return 4
    if _double_gobble(s, cell):
        return 5
    return 0 if stays_sound(s, cell) else 6


@kernel
def _lies(s: Record, cell: int) -> bool:
    """Is there a tile on just this cell?"""
    return bool(s.cell[s.board[spot(cell)]] == cell)


@kernel
def _double_gobble(s: Record, cell: int) -> bool:
    """With a tile on `cell`, would an empty space have four neighbours [R2]?"""
    for f in range(s.border_n):
        space = int(s.border[f])
        beside = 0
        for d in range(SIDES):
            if cell + STEPS[d] == space:
                beside = 1
        if space != cell and s.touch[f] + beside > FORCED:
            return True
    return False


@entry_point
def _encode(states: Any, i: int, stack: bool, tile: int, cell: int, rot: int) -> int:
    """The action id, or -1."""
    s: Record = states[i]
    f = shape_index(s, cell) if s.opt.cells_n > 0 else find(s, cell)
    if s.opt.cells_n == 0 and (f >= s.border_n or s.border[f] != cell):
        return -1
    for slot in range(s.opt.slots):
        if _tile_of(s, stack, slot) == tile and f >= 0:
            if s.opt.walk:
                way = _way_of(s, tile, cell, rot)
                return WAYS * slot + way if way >= 0 else -1
            return action_of(s, f, slot, tile, rot)
    return -1


@kernel
def _way_of(s: Record, tile: int, cell: int, rot: int) -> int:
    """The side with which a tile goes on with the loop in this cell and rotation, -1 = it does not."""
    end = open_end(s)
    for way in range(WAYS):
        if cell == end // SIDES and rotation_at(s, end, tile, way) == rot:
            return way
    return -1


@entry_point
def _decode(states: Any, i: int, stack: bool, action: int) -> int:
    """Tile, cell and rotation in one number, or -1."""
    s: Record = states[i]
    tile, f, rot = _tile_of(s, stack, slot_of(s, action)), space_of(s, action), -1
    if s.opt.walk:
        end = open_end(s)
        f = find(s, end // SIDES)
        rot = rotation_at(s, end, tile, action % WAYS) if tile > 0 else -1
    elif tile > 0 and (s.opt.cells_n > 0 or f < s.border_n):
        rot = rotation_of(s, tile, f, action)
    if rot < 0:
        return -1
    cell = int(s.opt.cells[f]) if s.opt.cells_n > 0 else int(s.border[f])
    if s.board[spot(cell)] > 0:
        return -1
    packed: int = tile << 20 | cell << 4 | rot
    return packed


@kernel
def shape_index(s: Record, cell: int) -> int:
    """Which cell of the shape it is, -1 = none of them."""
    for c in range(s.opt.cells_n):
        if s.opt.cells[c] == cell:
            return c
    return -1


@kernel
def _tile_of(s: Record, stack: bool, slot: int) -> int:
    """The tile of a slot of the hand, on top of the penalty stack, or of the kit if it does not lie yet."""
    if s.opt.mode >= DISCOVERY:
        tile = int(s.opt.kit[slot])
        return tile if s.cell[tile] == 0 else 0
    return gobble.penalty_top(s, int(s.seat)) if stack else int(s.hands[s.seat, slot])
