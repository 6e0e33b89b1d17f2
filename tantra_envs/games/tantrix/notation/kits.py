"""What positions of puzzles say beside the board: the actions taken; and what a board of a puzzle must be."""

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
    """The fields that puzzles add to a position."""
    return tuple(written(s))


def written(s: Any) -> Position:
    """The same with their values."""
    return {"moves": int(s["plies"])}


def whole_board(entries: list[Entry], opt: Any) -> list[Entry]:
    """Only tiles of the kit, only in the shape; those given from the start lie where they should, named or not."""
    kit = opt["kit"][: opt["kit_n"]].tolist()
    shape = opt["cells"][: opt["cells_n"]].tolist()
    given = _given(opt)
    for entry in entries:
        if entry[0] not in kit:
            raise read.refuse("board", entry, f"tiles {', '.join(map(str, kit))}")
        if shape and cell_at(entry[1], entry[2]) not in shape:
            raise read.refuse("board", entry, "cells of the shape")
        if any(entry[0] == fixed[0] and entry != fixed for fixed in given):
            raise read.refuse("board", entry, "tiles given from the start where they lie")
    missing = [fixed for fixed in given if fixed not in entries]
    if entries and missing:
        raise read.refuse("board", entries, f"a board with the tile given from the start: {missing[0]}")
    return sorted(entries or given)


def _given(opt: Any) -> list[Entry]:
    """The tiles that lie from the start."""
    cells, turns = opt["given_cell"].tolist(), opt["given_rot"].tolist()
    return [
        [tile, *place_of(cell), rot] for tile, cell, rot in zip(opt["kit"].tolist(), cells, turns, strict=True) if cell
    ]


def read_held(position: Mapping[str, Any], s: Any) -> list[int]:
    """Fill in the actions taken; nobody holds a tile."""
    s["plies"] = read.read_int(position, "moves", int(s["placed"]), range(ENDLESS + 1))
    return []


def read_rest(game: Game, position: Mapping[str, Any], s: Any) -> None:
    """The colours stand in their order."""
    s["colours"] = range(1, len(COLOURS) + 1)


def settle(position: Mapping[str, Any], state: States) -> None:
    """ValueError if there is nothing to decide."""
    if is_solved(state) or not _can_go_on(state):
        raise read.refuse("board", position.get("board"), "a puzzle that can go on")
    if state[0]["opt"]["walk"] and _walked(state) != state[0]["placed"]:
        raise read.refuse("board", position.get("board"), "tiles on one line from the first tile (W7)")


@entry_point
def _can_go_on(states: Any) -> bool:
    return puzzle.can_go_on(states[0])


@entry_point
def _walked(states: Any) -> int:
    """Tiles on the line that leaves the first tile of a walk [W7]."""
    s: Record = states[0]
    return 1 + follow(s, int(s.opt.kit[0]), side_of(s, int(s.opt.kit[0]), 0))
