"""Read and write the number of actions in positions of puzzles, and check the board of a puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....core import notation as read
from ....core.compiled.jit import entry_point
from ....core.game import Game, Position
from ....core.state import Record, States
from ..board.hexes import cell_at
from ..board.lines import follow
from ..material import COLOURS
from ..modes import puzzle
from ..modes.walk import side_of
from ..state import ENDLESS
from .boards import Entry, is_solved, place_of

START = "FREE"


def fields(s: Any) -> tuple[str, ...]:
    """Return the names of the fields that puzzles add to a position."""
    return tuple(written(s))


def written(s: Any) -> Position:
    """Return the fields that puzzles add to a position, with their values."""
    return {"moves": int(s["plies"])}


def whole_board(entries: list[Entry], opt: Any) -> list[Entry]:
    """Return the sorted board of a puzzle; an empty list stands for the given tiles.

    Raises:
        ValueError: A tile is not in the kit or not in the shape, or a given tile has moved or is missing.
    """
    kit = opt["kit"][: opt["kit_n"]].tolist()
    shape = opt["cells"][: opt["cells_n"]].tolist()
    given = _given(opt)
    for entry in entries:
        if entry[0] not in kit:
            raise read.refuse("board", entry, f"tiles {', '.join(map(str, kit))}")
        if shape and cell_at(entry[1], entry[2]) not in shape:
            raise read.refuse("board", entry, "cells of the shape")
        if any(entry[0] == fixed[0] and entry != fixed for fixed in given):
            raise read.refuse("board", entry, "each tile given from the start in its own cell and rotation")
    missing = [fixed for fixed in given if fixed not in entries]
    if entries and missing:
        raise read.refuse("board", entries, f"a board that contains the tile given from the start: {missing[0]}")
    return sorted(entries or given)


def _given(opt: Any) -> list[Entry]:
    """Return the tiles that are placed at the start."""
    cells, turns = opt["given_cell"].tolist(), opt["given_rot"].tolist()
    return [
        [tile, *place_of(cell), rot] for tile, cell, rot in zip(opt["kit"].tolist(), cells, turns, strict=True) if cell
    ]


def read_held(position: Mapping[str, Any], s: Any) -> list[int]:
    """Fill in the number of actions; puzzles have no tiles in hands, so return an empty list."""
    s["plies"] = read.read_int(position, "moves", int(s["placed"]), range(ENDLESS + 1))
    return []


def read_rest(game: Game, position: Mapping[str, Any], s: Any) -> None:
    """Fill in the colours in their standard order."""
    s["colours"] = range(1, len(COLOURS) + 1)


def settle(position: Mapping[str, Any], state: States) -> None:
    """Raise ValueError without a legal action, or if the tiles of a walk are not on one line."""
    if is_solved(state) or not _can_go_on(state):
        raise read.refuse("board", position.get("board"), "an unsolved puzzle with a legal action")
    if state[0]["opt"]["walk"] and _walked(state) != state[0]["placed"]:
        raise read.refuse("board", position.get("board"), "tiles on one line from the first tile (W7)")


@entry_point
def _can_go_on(states: Any) -> bool:
    return puzzle.can_go_on(states[0])


@entry_point
def _walked(states: Any) -> int:
    """Return the number of tiles on the line that leaves the first tile of a walk [W7]."""
    s: Record = states[0]
    return 1 + follow(s, int(s.opt.kit[0]), side_of(s, int(s.opt.kit[0]), 0))
