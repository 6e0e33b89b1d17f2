"""List, check and number placements (tile, q, r, rot)."""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.compiled.starting import seldom
from ....core.game import Game
from ....core.options import is_whole
from ....core.state import Record, States
from ..board.bag import restrained
from ..board.hexes import FORCED, STEPS, banned_sides, cell_at, facing_at, find, joins, spot, stays_sound
from ..board.tiles import clashes, matches, shown
from ..encodings import action_of, rotation_of, slot_of, space_of
from ..material import SIDES, TILES
from ..modes import gobble, strategy
from ..modes.walk import open_end, rotation_at
from ..state import WAYS, Mode, Phase
from .boards import FAR, place_of

Placement = tuple[int, int, int, int]  # tile, q, r, rot
REASONS = (None, "occupied", "touch", "match", "R1", "R2", "R3")


def legal_placements(state: States) -> list[Placement]:
    """Return the legal placements of the tiles in hand, sorted; on the empty table with any rotation (S4)."""
    s = state[0]
    if s["over"] or (s["opt"]["mode"] == Mode.GOBBLE and s["phase"] != Phase.PLACE):
        return []
    hand = _tiles_to_place(s)
    cells = [place_of(cell) for cell in _spaces(s)]
    found = [(tile, q, r, rot) for tile in hand for q, r in cells for rot in range(SIDES)]
    return sorted((tile, q, r, rot) for tile, q, r, rot in found if _allowed(state, 0, tile, cell_at(q, r), rot))


def _tiles_to_place(s: Any) -> list[int]:
    """Return the tiles in hand; in a puzzle the tiles of the kit that are not placed."""
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return [int(tile) for tile in s["opt"]["kit"] if tile and not s["cell"][tile]]
    return [int(tile) for tile in s["hands"][s["seat"]] if tile]


def _spaces(s: Any) -> list[int]:
    """Return the cells of the border; in a puzzle with a shape its empty cells."""
    shape = s["opt"]["cells"][: s["opt"]["cells_n"]].tolist()
    if not shape:
        return list(s["border"][: s["border_n"]].tolist())
    return [cell for cell in shape if cell not in s["cell"]]


def why_illegal(state: States, tile: int, q: int, r: int, rot: int) -> str | None:
    """Return the first rule that a placement breaks (R6), or None.

    The owner of the tile and the step of the turn do not matter.
    """
    if not all(map(is_whole, (tile, q, r, rot))) or not 1 <= tile <= TILES or rot not in range(SIDES):
        raise ValueError(
            f"tantrix: tile={tile!r}, q={q!r}, r={r!r}, rot={rot!r} is not allowed; "
            f"allowed: integers, tile 1..{TILES}, rot 0..{SIDES - 1}"
        )
    if max(abs(q), abs(r)) > FAR:
        return "touch"
    return REASONS[_reason(state, 0, tile, cell_at(q, r), rot)]


def encode(game: Game, state: States, placement: Placement, block: str = "place") -> int:
    """Return the action id of a placement.

    Args:
        game: The game.
        state: One table, shape (1,).
        placement: The tile, q, r and rotation.
        block: "place" for the tile in hand, "penalty" for the top of the penalty stack in a Gobble race.

    Raises:
        ValueError: The placement has no action, because of its tile, space or rotation.
    """
    index = index_of(state, placement, block == "penalty")
    if not 0 <= index < game.actions[block].size:
        tile, q, r, rot = placement
        raise ValueError(f"{game.name}: {tile}:{q},{r}/{rot} names no action: no such tile in hand, space or match")
    return game.actions[block].start + index


def index_of(state: States, placement: Placement, stack: bool) -> int:
    """Return the number of a placement in its block, which may be outside it, or -1 if it has none.

    Args:
        state: One table, shape (1,).
        placement: The tile, q, r and rotation.
        stack: Whether the tile is on top of the penalty stack instead of in hand.
    """
    tile, q, r, rot = placement
    whole = all(map(is_whole, placement))
    near = whole and 1 <= tile <= TILES and max(abs(q), abs(r)) <= FAR and rot in range(SIDES)
    return int(_encode(state, 0, stack, tile, cell_at(q, r), rot)) if near else -1


def decode(game: Game, state: States, action: int) -> Placement | None:
    """Return the placement of an action id, or None if the id has no placement at this table."""
    block = game.actions.at(action)
    if block.name not in ("place", "penalty"):
        return None
    return placement_of(state, action - block.start, block.name == "penalty")


def placement_of(state: States, index: int, stack: bool) -> Placement | None:
    """Return the placement with a number in its block, or None if there is none at this table."""
    found = int(_decode(state, 0, stack, index))
    if found < 0:
        return None
    return (found >> 20, *place_of(found >> 4 & 0xFFFF), found & 15)


@seldom
def _allowed(states: Any, i: int, tile: int, cell: int, rot: int) -> bool:
    """Return whether the seat to decide may place a matching tile on a space in this step."""
    s: Record = states[i]
    f = find(s, cell)
    sides = shown(tile, rot)
    if not matches(sides, facing_at(s, cell)):
        return False
    if s.opt.walk:
        return _way_of(s, tile, cell, rot) >= 0
    if s.opt.mode >= Mode.DISCOVERY:
        return True
    if s.opt.mode == Mode.GOBBLE:
        return bool(s.touch[f] >= gobble.JOINED)
    if s.opt.mode == Mode.SOLITAIRE:
        return s.touch[f] >= FORCED or not joins(s, tile, FORCED)
    banned = strategy.banned_at(s, f)
    return banned != strategy.CLOSED and not clashes(sides, banned)


@seldom
def _reason(states: Any, i: int, tile: int, cell: int, rot: int) -> int:
    """Return the index in REASONS."""
    s: Record = states[i]
    there = int(s.board[spot(cell)])
    if there > 0 and s.cell[there] == cell:  # distant cells share a spot
        return 1
    f = find(s, cell)
    if s.opt.cells_n > 0:
        if shape_index(s, cell) < 0:
            return 2
    elif f >= s.border_n or s.border[f] != cell or (s.opt.mode == Mode.GOBBLE and s.touch[f] < gobble.JOINED):
        return 2
    sides = shown(tile, rot)
    if not matches(sides, facing_at(s, cell)):
        return 3
    if not restrained(s):
        return 0
    if clashes(sides, banned_sides(s, cell)):
        return 4
    if stays_sound(s, cell, facing_at(s, cell)):  # as for legal placements [R4], even if the board was not sound before
        return 0
    return 5 if _double_gobble(s, cell) else 6


@kernel
def _double_gobble(s: Record, cell: int) -> bool:
    """Return whether a space next to `cell` would have four neighbours with a tile on it [R2]."""
    for d in range(SIDES):
        beside = cell + STEPS[d]
        if s.board[spot(beside)] < 0 and s.touch[find(s, beside)] >= FORCED:
            return True
    return False


@seldom
def _encode(states: Any, i: int, stack: bool, tile: int, cell: int, rot: int) -> int:
    """Return the action id, counted from the start of its block, or -1."""
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
    """Return the side (0 or 1) with which a tile continues the loop in this cell and rotation, -1 = none."""
    end = open_end(s)
    for way in range(WAYS):
        if cell == end // SIDES and rotation_at(s, end, tile, way) == rot:
            return way
    return -1


@seldom
def _decode(states: Any, i: int, stack: bool, action: int) -> int:
    """Return the tile, cell and rotation packed into one number, or -1."""
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
    """Return the index of a cell in the shape, -1 = not in the shape."""
    for c in range(s.opt.cells_n):
        if s.opt.cells[c] == cell:
            return c
    return -1


@kernel
def _tile_of(s: Record, stack: bool, slot: int) -> int:
    """Return the tile in a slot, on top of the penalty stack, or of the kit if not placed; 0 = none."""
    if s.opt.mode >= Mode.DISCOVERY:
        tile = int(s.opt.kit[slot])
        return tile if s.cell[tile] == 0 else 0
    return gobble.penalty_top(s, int(s.seat)) if stack else int(s.hands[s.seat, slot])
