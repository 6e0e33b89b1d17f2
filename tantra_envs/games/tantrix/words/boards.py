"""Read, check, place and score boards, which are lists of [tile, q, r, rot]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ....core import notation as read
from ....core.compiled.starting import seldom
from ....core.options import is_whole, require
from ....core.state import Record, States
from ..agents.standing import owned
from ..board.hexes import cell_at, close_start, put
from ..board.lines import score_lines
from ..material import COLOURS, DIRECTIONS, LOOP, SIDES, TILES, turned
from ..modes import puzzle
from ..rules import clear_table
from ..state import HOLES, ORIGIN, ROW, STATE, Mode

Board = Iterable[Sequence[int]]
Entry = list[int]  # tile, q, r, rot
FAR = ORIGIN - 4  # greatest coordinate of a cell with a number


# Tools


def score_board(board: Board, colour: str) -> int:
    """Return the score of a colour's longest line or loop (D8) on a board, connected or not; a loop counts double.

    Args:
        board: A list of [tile, q, r, rot].
        colour: One of R, Y, G, B.

    Raises:
        ValueError: `board` is not a board whose touching sides all match, or `colour` is not a colour.
    """
    number, entries = _read_colour(colour), read_entries(board)
    _check_match(entries)
    return max((int(_laid_out(part)[0]["best"][number]) for part in parts(entries)), default=0)


def check_solution(board: Board, colour: str | None = None, holes: str = "none") -> bool:
    """Return whether a board is one loop through all its tiles, all matching, without holes (W2, W3).

    Args:
        board: A list of [tile, q, r, rot].
        colour: The colour of the loop, or None for any.
        holes: The holes that are not allowed, a value of the option `holes`.

    Raises:
        ValueError: `board` has a wrong tile, cell or rotation or has one of them twice, or `colour` or `holes` is not
            allowed.
    """
    number, entries = _read_colour(colour) if colour is not None else 0, read_entries(board)
    require("tantrix: holes", holes, isinstance(holes, str) and holes in HOLES, ", ".join(HOLES))
    if clash(entries) is not None or len(parts(entries)) != 1:
        return False
    state = _empty()
    opt = state[0]["opt"]
    opt["kit_n"], opt["colour"], opt["holes"] = len(entries), number, HOLES.index(holes)
    lay_out(state, _moved(entries))
    return bool(is_solved(state))


def scores(state: States) -> list[int]:
    """Return the score of each seat (D8, T5); in Gobble minus the number of tiles that the seat owns."""
    s = state[0]
    if s["opt"]["mode"] >= Mode.DISCOVERY:
        return [_best(s, int(s["opt"]["colour"]))]
    if s["opt"]["mode"] == Mode.SOLITAIRE:
        return [_best(s, int(s["opt"]["goal"]))]
    if s["opt"]["mode"] == Mode.GOBBLE:
        return [-int(tiles) for tiles in owned(s)[: s["seats"]]]
    return [int(s["best"][s["colours"][seat]]) for seat in range(s["seats"])]


def _best(s: Any, colour: int) -> int:
    """Return the score of a colour, 0 = the best colour."""
    return int(s["best"][colour] if colour else s["best"].max())


def _read_colour(colour: Any) -> int:
    require("tantrix: colour", colour, isinstance(colour, str) and colour in tuple(COLOURS), ", ".join(COLOURS))
    return COLOURS.index(colour) + 1


# Writing and reading


def listed(s: Any) -> list[Entry]:
    """Return the board of a table, ascending by tile."""
    lying = (tile for tile in range(1, TILES + 1) if s["cell"][tile])
    return [[tile, *place_of(int(s["cell"][tile])), int(s["rot"][tile])] for tile in lying]


def read_entries(board: Any) -> list[Entry]:
    """Return the entries of a board as lists of int.

    Raises:
        ValueError: An entry is not [tile, q, r, rot], or the board has a tile or a cell twice.
    """
    if not _is_list(board) or not all(
        _is_list(entry) and len(entry) == 4 and all(map(is_whole, entry)) for entry in board
    ):
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
    """Return the entries of a board for a table.

    Raises:
        ValueError: Touching sides differ [D3], the tiles are not connected outside a shape [D1], or they are too far
            from the middle for the tiles to come.
    """
    entries = read_entries(board)
    room = FAR - (TILES - len(entries))
    for entry in entries:
        if max(abs(entry[1]), abs(entry[2])) > room:
            raise read.refuse("board", entry, f"cells at most {room} from (0, 0); move the whole board")
    _check_match(entries)
    if not shape and len(parts(entries)) > 1:
        raise read.refuse("board", board, "tiles that are all connected")
    return entries


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def _check_match(entries: list[Entry]) -> None:
    at = clash(entries)
    if at is not None:
        raise read.refuse("board", f"the tile at {at[0]},{at[1]}", "touching sides of the same colour")


def clash(entries: list[Entry]) -> tuple[int, int] | None:
    """Return the first cell whose tile does not match a neighbour [D3], or None."""
    sides = {(q, r): turned(tile, rot) for tile, q, r, rot in entries}
    for (q, r), shown in sides.items():
        for d, (dq, dr) in enumerate(DIRECTIONS):
            beside = sides.get((q + dq, r + dr))
            if beside and beside[(d + 3) % SIDES] != shown[d]:
                return q, r
    return None


# Laying out


def lay_out(state: States, board: Board) -> None:
    """Clear the table and place these tiles on it, which touch or are in a shape.

    Each tile goes next to a placed one. In another order the border could become longer than in any game.
    """
    ordered = [entry for part in parts(board) for entry in part]
    tiles = np.array([[tile, cell_at(q, r), rot] for tile, q, r, rot in ordered], np.int64).reshape(-1, 3)
    _lay_out(state, tiles)


def _laid_out(part: Board) -> States:
    """Return a new table with connected tiles."""
    state = _empty()
    lay_out(state, _moved(part))
    return state


def _moved(part: Board) -> list[Entry]:
    """Return the board moved so that its first tile is at (0, 0); then every cell has a number."""
    entries = [list(entry) for entry in part]
    _, q0, r0, _ = entries[0]
    return [[tile, q - q0, r - r0, rot] for tile, q, r, rot in entries]


def parts(board: Board) -> list[list[Sequence[int]]]:
    """Return the connected parts of a board; in each, every tile but the first touches an earlier one."""
    left = {(entry[1], entry[2]): entry for entry in board}
    found = []
    while left:
        part = [left.pop(next(iter(left)))]
        for _, q, r, _ in part:  # the list grows during the loop
            part += [left.pop((q + dq, r + dr)) for dq, dr in DIRECTIONS if (q + dq, r + dr) in left]
        found.append(part)
    return found


def place_of(cell: int) -> tuple[int, int]:
    """Return (q, r) of a cell."""
    return cell % ROW - ORIGIN, cell // ROW - ORIGIN


@seldom
def _lay_out(states: Any, tiles: Any) -> None:
    s: Record = states[0]
    clear_table(s)
    if s.opt.cells_n > 0 or len(tiles) > 0:
        close_start(s)  # the start cell may be far from these tiles
    for k in range(len(tiles)):
        tile = int(tiles[k, 0])
        put(s, tile, int(tiles[k, 1]), int(tiles[k, 2]))
        score_lines(s, tile)


@seldom
def is_solved(states: Any) -> bool:
    """Return whether a puzzle is solved."""
    return puzzle.is_solved(states[0])


def _empty() -> States:
    """Return an empty table of no game, shape (1,), on which a loop counts double (D8)."""
    state = np.zeros(1, STATE)
    state["opt"]["loop_factor"] = LOOP
    return state
