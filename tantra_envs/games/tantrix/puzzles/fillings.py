"""Search exactly for ways to place tiles on given cells so that all touching sides match.

The search is depth first, cell by cell, and removes the last tile where no tile fits (Golomb and Baumert, "Backtrack
Programming", 1965).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....core.compiled.jit import entry_point, kernel
from ....core.state import Record, record
from ..board.tiles import colour_at, matches, shown
from ..material import DIRECTIONS, SIDES, TILES

NONE, FOUND, UNDECIDED = range(3)
ANY = -1
Cell = tuple[int, int]  # (q, r)

SEARCH = record(
    [
        ("laid", np.int64),  # number of tiles placed so far
        ("sides", np.int32, (TILES,)),  # by cell: the sides of its tile, 0 = empty
        ("chosen", np.int16, (TILES,)),  # by cell: 6 * index in the kit + rotation tried last, ANY = none yet
        ("fixed", np.int16, (TILES,)),  # by cell: the only value of `chosen` allowed, or ANY
        ("at", np.int8),  # the first cell that is empty or, after FOUND, the last; -1 = the search is complete
        ("cells_n", np.int8),
        ("beside", np.int8, (TILES, SIDES)),  # by cell and direction: the neighbour, -1 = none
        ("kit", np.int8, (TILES,)),
        ("kit_n", np.int8),
        ("used", np.int8, (TILES,)),  # by index in the kit: 1 = placed
        ("colour", np.int8),  # colour of the line or the links
        ("links", np.int8, (TILES,)),  # by cell: a bit for each direction that must have the colour, or ANY
        ("line", np.int8),  # 1 = all tiles on one line of the colour
        ("ends", np.int8, (TILES + 1,)),  # by cell: number of ends of the line at the cells before it
    ]
)


class Filling:
    """A search for all fillings of `cells`, one by one; it can stop at any time and continue later.

    `fixed` maps cells to the (tile, rot) that they hold from the start. `colour` is 1..4. `links` lists for each cell
    the two directions towards which its tile must show that colour. With `line`, all tiles must be on one line of the
    colour.
    """

    def __init__(
        self,
        cells: Sequence[Cell],
        tiles: Sequence[int],
        *,
        fixed: Mapping[Cell, tuple[int, int]] | None = None,
        colour: int = 0,
        links: Sequence[tuple[int, int]] | None = None,
        line: bool = False,
    ) -> None:
        self.cells, self.tiles = list(cells), list(tiles)
        self._search = np.zeros(1, SEARCH)
        s = self._search[0]
        n = len(self.cells)
        number = {cell: i for i, cell in enumerate(self.cells)}
        s["cells_n"], s["kit_n"], s["colour"], s["line"] = n, len(self.tiles), colour, line
        s["kit"][: len(self.tiles)] = self.tiles
        s["beside"][:n] = [[number.get((q + dq, r + dr), -1) for dq, dr in DIRECTIONS] for q, r in self.cells]
        s["chosen"], s["fixed"], s["links"] = ANY, ANY, ANY
        for cell, (tile, rot) in (fixed or {}).items():
            s["fixed"][number[cell]] = self.tiles.index(tile) * SIDES + rot
        if links:
            s["links"][:n] = [1 << one | 1 << other for one, other in links]

    def search(self, nodes: int) -> int:
        """Search for the next filling, trying at most `nodes` cells.

        Returns:
            FOUND: `board` is the next filling. NONE: all fillings were found. UNDECIDED: the nodes are used up.
        """
        return int(_search(self._search, nodes))

    @property
    def laid(self) -> int:
        """Return the number of tiles placed so far, in all searches."""
        return int(self._search["laid"][0])

    @property
    def board(self) -> list[list[int]]:
        """Return the filling found last: [tile, q, r, rot] of each cell."""
        chosen = zip(self.cells, self._search["chosen"][0].tolist(), strict=False)
        return [[self.tiles[option // SIDES], q, r, option % SIDES] for (q, r), option in chosen]


@entry_point
def _search(searches: Any, nodes: int) -> int:
    """Fill cell after cell: go to the next cell if a tile fits, else back to the one before."""
    s: Record = searches[0]
    for _ in range(nodes if s.at >= 0 else 0):
        if not _lay_next(s):
            s.at -= 1
            if s.at < 0:
                return NONE
        elif s.at + 1 < s.cells_n:
            s.at += 1
        elif not s.line or _is_one_line(s):
            return FOUND
    return NONE if s.at < 0 else UNDECIDED


@kernel
def _lay_next(s: Record) -> bool:
    """Replace the tile on the cell `at` by the next tile or rotation; return False if none is left."""
    c = int(s.at)
    if s.sides[c] != 0:
        s.used[s.chosen[c] // SIDES] = 0
        s.sides[c] = 0
    option = _next_option(s, c)
    s.chosen[c] = option
    if option < 0:
        return False
    s.used[option // SIDES] = 1
    s.sides[c] = shown(int(s.kit[option // SIDES]), option % SIDES)
    s.laid += 1
    return True


@kernel
def _next_option(s: Record, c: int) -> int:
    """Return the next tile and rotation for a cell after the current choice, -1 = none."""
    facing = _facing(s, c)
    option = int(s.chosen[c]) + 1
    while option < SIDES * s.kit_n:
        if s.fixed[c] >= 0 and option < s.fixed[c]:
            option = int(s.fixed[c])
        if s.fixed[c] >= 0 and option > s.fixed[c]:
            return -1
        if s.used[option // SIDES] == 1:
            option += SIDES - option % SIDES
            continue
        shows = shown(int(s.kit[option // SIDES]), option % SIDES)
        if matches(shows, facing) and _serves(s, c, shows):
            return option
        option += 1
    return -1


@kernel
def _facing(s: Record, c: int) -> int:
    """Return the colours shown to a cell, packed like those of a tile."""
    facing = 0
    for d in range(SIDES):
        if s.beside[c, d] >= 0:
            facing |= colour_at(int(s.sides[s.beside[c, d]]), (d + 3) % SIDES) << 3 * d
    return facing


@kernel
def _serves(s: Record, c: int, shows: int) -> bool:
    """Return whether the colour has the directions of the links, and one line has at most two ends."""
    lies, out = 0, 0
    for d in range(SIDES):
        if colour_at(shows, d) == s.colour:
            lies |= 1 << d
            out += 1 if s.beside[c, d] < 0 else 0
    s.ends[c + 1] = s.ends[c] + out
    return (s.links[c] < 0 or lies == s.links[c]) and (not s.line or s.ends[c + 1] <= 2)


@kernel
def _is_one_line(s: Record) -> bool:
    """Return whether all tiles are on one line or loop of the colour."""
    n = int(s.cells_n)
    start, away = 0, -1
    for c in range(n):
        for d in range(SIDES):
            if s.beside[c, d] < 0 and colour_at(int(s.sides[c]), d) == s.colour:
                start, away = c, d
    c, met, out = start, 0, 0
    while True:
        for d in range(SIDES):
            if d != away and colour_at(int(s.sides[c]), d) == s.colour:
                out = d
        met += 1
        c, away = int(s.beside[c, out]), (out + 3) % SIDES
        if c < 0 or c == start or met > n:
            return met == n
