"""Check the board of a puzzle: its tiles, its shape and the tiles given from the start."""

from __future__ import annotations

from typing import Any

from ....core import notation as read
from ..board.hexes import cell_at
from .boards import Entry, place_of


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
