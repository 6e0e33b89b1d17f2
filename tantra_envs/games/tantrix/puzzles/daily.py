"""Select the puzzle of a configuration, and build the daily puzzle.

The daily puzzle is a hexagon of cells to fill so that all sides match. The date determines it, so all players have
the same puzzle on the same day.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from ....core.compiled.jit import entry_point
from ....core.rng import seed_stream, shuffle
from ..material import TILES, Puzzle, Task, discovery, rainbow
from .fillings import FOUND, NONE, Filling

RADIUS = 2  # radius of the hexagon: 19 cells
NODES = 200_000  # number of tiles the search may place before a filling counts as not unique
CELLS = tuple(
    (q, r) for r in range(-RADIUS, RADIUS + 1) for q in range(max(-RADIUS, -r - RADIUS), min(RADIUS, RADIUS - r) + 1)
)


def puzzle_of(config: Mapping[str, Any]) -> Puzzle | None:
    """Return the puzzle of a configuration, or None in other modes."""
    if config["mode"] == "daily":
        return daily(config["seed_date"])
    if config["mode"] == "discovery":
        return discovery(config["puzzle"])
    return rainbow(config["puzzle"]) if config["mode"] == "rainbow" else None


@functools.cache
def daily(date: int) -> Puzzle:
    """Return the puzzle of a date YYYYMMDD, with as few given tiles as a unique solution needs [Y1]."""
    tiles, order = np.arange(1, TILES + 1), np.arange(len(CELLS))
    _shuffle(date, np.zeros(4, np.int64), tiles, order)
    whole = Filling(CELLS, tiles.tolist())
    while whole.search(NODES) != FOUND:
        pass
    board = [whole.board[i] for i in order]
    kit = tuple(sorted(tile for tile, *_ in board))
    low, high = 0, len(board)  # bounds: `low` may be enough, `high` is known to be enough
    while low < high:
        middle = (low + high) // 2
        if _unique(board[:middle], kit):
            high = middle
        else:
            low = middle + 1
    return Puzzle(kit, Task.FILLED, cells=CELLS, given=tuple((tile, q, r, rot) for tile, q, r, rot in board[:high]))


def _unique(given: list[list[int]], kit: tuple[int, ...]) -> bool:
    """Return whether the search proves that there is exactly one filling with these given tiles."""
    filling = Filling(CELLS, kit, fixed={(q, r): (tile, rot) for tile, q, r, rot in given})
    return filling.search(NODES) == FOUND and filling.search(NODES) == NONE


@entry_point
def _shuffle(seed: int, stream: Any, tiles: Any, order: Any) -> None:
    """Shuffle the tiles and the cells with the date as seed."""
    seed_stream(stream, seed)
    shuffle(stream, tiles, len(tiles))
    shuffle(stream, order, len(order))
