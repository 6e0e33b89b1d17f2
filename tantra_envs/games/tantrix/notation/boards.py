"""Boards as lists of [tile, q, r, rot]: checked, laid out on a table, and what they score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ....core import notation as read
from ....core.compiled.jit import entry_point
from ....core.state import Record, States
from ..board.hexes import cell_at, close_start, put
from ..board.lines import score_lines
from ..material import COLOURS, DIRECTIONS, SIDES, TILES, turned
from ..modes import puzzle
from ..rules import clear_table
from ..state import HOLES, ORIGIN, ROW, STATE, Mode

Board = Iterable[Sequence[int]]
Entry = list[int]  # tile, q, r, rot
FAR = ORIGIN - 4  # cells further out have no number
TILE_NAMES = tuple(str(tile) for tile in range(TILES + 1))


# Tools


def score_board(board: Board, colour: str) -> int:
    """The score of a colour's longest line or loop (D8) on a board of [tile, q, r, rot], connected or not.

    ValueError naming `board` unless it is one on which all touching sides match, or `colour`.
    """
    number, entries = _read_colour(colour), read_entries(board)
    _check_match(entries)
    return max((int(_laid_out(part)[0]["best"][number]) for part in parts(entries)), default=0)


def check_solution(board: Board, colour: str | None = None, holes: str = "none") -> bool:
    """Is a board one loop of the colour (None: any) through all of its tiles, all matching, without holes (W2, W3)?

    ValueError naming what is wrong: `board` with what is no tile, cell or rotation, or one of them twice, `colour`,
    `holes`.
    """
    number, entries = _read_colour(colour) if colour is not None else 0, read_entries(board)
    if not isinstance(holes, str) or holes not in HOLES:
        raise _refuse("holes", holes, ", ".join(HOLES))
    if clash(entries) is not None or len(parts(entries)) != 1:
        return False
    state = np.zeros(1, STATE)
    opt = state[0]["opt"]
    opt["kit_n"], opt["colour"], opt["holes"] = len(entries), number, HOLES.index(holes)
    lay_out(state, _moved(entries))
    return bool(is_solved(state))


def scores(state: States) -> list[int]:
    """The score of each seat (D8, T5); in Gobble minus the tiles it still has to get rid of."""
    s = state[0]
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return [_best(s, int(s["opt"]["colour"]))]
    if s["opt"]["mode"] == Mode.SOLITAIRE:
        return [_best(s, int(s["opt"]["goal"]))]
    if s["opt"]["mode"] == Mode.GOBBLE:
        owned = s["piles_n"].astype(int) + s["penalty_n"] + (s["hands"][:, 0] > 0)
        return [-int(tiles) for tiles in owned[: s["seats"]]]
    return [int(s["best"][s["colours"][seat]]) for seat in range(s["seats"])]


def _best(s: Any, colour: int) -> int:
    """The score of a colour, 0 = of the best one."""
    return int(s["best"][colour] if colour else s["best"].max())


def _refuse(field: str, value: Any, allowed: str) -> ValueError:
    return ValueError(f"tantrix: {field}={value!r} is not allowed; allowed: {allowed}")


def _read_colour(colour: Any) -> int:
    if not isinstance(colour, str) or colour not in tuple(COLOURS):
        raise _refuse("colour", colour, ", ".join(COLOURS))
    return COLOURS.index(colour) + 1


# Writing and reading


def listed(s: Any) -> list[Entry]:
    """The board of a table, ascending by tile."""
    lying = (tile for tile in range(1, TILES + 1) if s["cell"][tile])
    return [[tile, *place_of(int(s["cell"][tile])), int(s["rot"][tile])] for tile in lying]


def read_entries(board: Any) -> list[Entry]:
    """Tiles, cells and rotations; ValueError for anything else, and for a tile or a cell that is there twice."""
    if not _is_list(board) or not all(map(_is_entry, board)):
        raise read.refuse("board", board, "a list of [tile, q, r, rot]")
    entries = [[int(number) for number in entry] for entry in board]
    for entry in entries:
        if not (1 <= entry[0] <= TILES and 0 <= entry[3] < SIDES):
            raise read.refuse("board", entry, f"tiles 1..{TILES} and rotations 0..{SIDES - 1}")
    if len({(q, r) for _, q, r, _ in entries}) < len(entries):
        raise read.refuse("board", board, "at most one tile on a cell")
    if len({tile for tile, *_ in entries}) < len(entries):
        raise read.refuse("board", board, "each tile at most once")
    return entries


def read_board(board: Any, shape: bool) -> list[Entry]:
    """The same for a table: all match [D3], with room for all tiles to come; connected [D1] but in a shape."""
    entries = read_entries(board)
    room = FAR - (TILES - len(entries))
    for entry in entries:
        if max(abs(entry[1]), abs(entry[2])) > room:
            raise read.refuse("board", entry, f"cells within {room} of the middle: move the whole board")
    _check_match(entries)
    if not shape and len(parts(entries)) > 1:
        raise read.refuse("board", board, "tiles that are all connected")
    return entries


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _is_entry(value: Any) -> bool:
    return _is_list(value) and len(value) == 4 and all(map(is_whole, value))


def is_whole(value: Any) -> bool:
    """Is it an integer, and no bool?"""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _check_match(entries: list[Entry]) -> None:
    at = clash(entries)
    if at is not None:
        raise read.refuse("board", f"the tile at {at[0]},{at[1]}", "touching sides of the same colour")


def clash(entries: list[Entry]) -> tuple[int, int] | None:
    """The first cell whose tile does not match one beside it [D3]; None if all do."""
    sides = {(q, r): turned(tile, rot) for tile, q, r, rot in entries}
    for (q, r), shown in sides.items():
        for d, (dq, dr) in enumerate(DIRECTIONS):
            beside = sides.get((q + dq, r + dr))
            if beside and beside[(d + 3) % SIDES] != shown[d]:
                return q, r
    return None


def read_tiles(field: str, value: Any) -> list[int]:
    """A list of tiles, by number."""
    tiles = read.read_cards(field, value, TILE_NAMES)
    if 0 in tiles:
        raise read.refuse(field, value, f"tiles 1..{TILES}")
    return tiles


# Laying out


def lay_out(state: States, board: Board) -> None:
    """Clear the table and lay these tiles on it, which touch or lie in a shape.

    Each goes beside one that lies already: otherwise the border might meanwhile be longer than in any game.
    """
    ordered = [entry for part in parts(board) for entry in part]
    tiles = np.array([[tile, cell_at(q, r), rot] for tile, q, r, rot in ordered], np.int64).reshape(-1, 3)
    _lay_out(state, tiles)


def _laid_out(part: Board) -> States:
    """A table of its own for connected tiles."""
    state = np.zeros(1, STATE)
    lay_out(state, _moved(part))
    return state


def _moved(part: Board) -> list[Entry]:
    """The same with its first tile at (0, 0): connected tiles reach no cell without a number from there."""
    entries = [list(entry) for entry in part]
    _, q0, r0, _ = entries[0]
    return [[tile, q - q0, r - r0, rot] for tile, q, r, rot in entries]


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
def is_solved(states: Any) -> bool:
    """Is a puzzle done?"""
    return puzzle.is_solved(states[0])
