"""Exact search for ways to lay tiles on given cells so that all touching sides match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import entry_point, kernel
from .material import DIRECTIONS, SIDES
from .tiles import colour_at, matches, shown

NONE, FOUND, UNDECIDED = range(3)
ANY = -1
Cell = tuple[int, int]  # (q, r)
Ints = npt.NDArray[np.int64]


class Filling:
    """All fillings of `cells`, one after the other; a search can stop at any time and go on later.

    `fixed`: cells that have a tile from the start, as (tile, rot). With `colour` (1..4): `links` names for each cell
    the directions in which that colour must lie, or, with `line`, all tiles must lie on one line of the colour.
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
        number = {cell: i for i, cell in enumerate(self.cells)}
        beside = [[number.get((q + dq, r + dr), -1) for dq, dr in DIRECTIONS] for q, r in self.cells]
        options = [(fixed or {}).get(cell) for cell in self.cells]
        self._beside = np.array(beside, np.int64)
        self._fixed = np.array([ANY if o is None else self.tiles.index(o[0]) * SIDES + o[1] for o in options], np.int64)
        self._links = np.array(
            [1 << one | 1 << other for one, other in links] if links else [ANY] * len(options), np.int64
        )
        self._kit = np.array(self.tiles, np.int64)
        self._colour, self._line = colour, line
        self._chosen = np.full(len(options), ANY, np.int64)
        self._sides, self._ends = np.zeros(len(options), np.int64), np.zeros(len(options) + 1, np.int64)
        self._used = np.zeros(len(self.tiles), np.int64)
        self._at = np.zeros(2, np.int64)

    def search(self, nodes: int) -> int:
        """FOUND: `board` has the next filling. NONE: there is no other. UNDECIDED after laying `nodes` tiles."""
        return int(
            _search(
                self._beside, self._fixed, self._links, self._kit, self._colour, self._line,
                self._chosen, self._sides, self._ends, self._used, self._at, nodes,
            )
        )  # fmt: skip

    @property
    def laid(self) -> int:
        """Tiles laid so far, in all searches."""
        return int(self._at[1])

    @property
    def board(self) -> list[list[int]]:
        """The filling just found: [tile, q, r, rot]."""
        chosen = zip(self.cells, self._chosen.tolist(), strict=True)
        return [[self.tiles[option // SIDES], q, r, option % SIDES] for (q, r), option in chosen]


@entry_point
def _search(
    beside: Any, fixed: Any, links: Any, kit: Any, colour: int, line: bool,
    chosen: Any, sides: Any, ends: Any, used: Any, at: Any, nodes: int,
) -> int:  # fmt: skip
    """Cell after cell; `at`: the first that is empty or, after FOUND, the last; and the tiles laid so far."""
    c = at[0]
    if c < 0:
        return NONE
    for _ in range(nodes):
        if sides[c] != 0:
            used[chosen[c] // SIDES] = 0
            sides[c] = 0
        option = _next_option(c, beside, fixed, links, kit, colour, line, chosen, sides, ends, used)
        chosen[c] = option
        if option >= 0:
            used[option // SIDES] = 1
            sides[c] = shown(kit[option // SIDES], option % SIDES)
            at[1] += 1
            if c + 1 < len(chosen):
                c += 1
            elif not line or _one_line(beside, sides, colour):
                at[0] = c
                return FOUND
        else:
            c -= 1
            if c < 0:
                at[0] = c
                return NONE
    at[0] = c
    return UNDECIDED


@kernel
def _next_option(
    c: int, beside: Any, fixed: Any, links: Any, kit: Any, colour: int, line: bool,
    chosen: Any, sides: Any, ends: Any, used: Any,
) -> int:  # fmt: skip
    """The next tile and rotation for a cell after the one chosen so far, -1 = there is none."""
    facing = 0
    for d in range(SIDES):
        if beside[c, d] >= 0:
            facing |= colour_at(sides[beside[c, d]], (d + 3) % SIDES) << 3 * d
    option = int(chosen[c]) + 1
    while option < SIDES * len(kit):
        if fixed[c] >= 0 and option < fixed[c]:
            option = int(fixed[c])
        if fixed[c] >= 0 and option > fixed[c]:
            return -1
        if used[option // SIDES] == 1:
            option += SIDES - option % SIDES
            continue
        shows = shown(kit[option // SIDES], option % SIDES)
        if matches(shows, facing) and _serves(c, shows, beside, links, colour, line, ends):
            return option
        option += 1
    return -1


@kernel
def _serves(c: int, shows: int, beside: Any, links: Any, colour: int, line: bool, ends: Any) -> bool:
    """Does the colour lie where the links want it, and has one line no more than two ends?"""
    lies, out = 0, 0
    for d in range(SIDES):
        if colour_at(shows, d) == colour:
            lies |= 1 << d
            out += beside[c, d] < 0
    ends[c + 1] = ends[c] + out
    return (links[c] < 0 or lies == links[c]) and (not line or ends[c + 1] <= 2)


@kernel
def _one_line(beside: Any, sides: Any, colour: int) -> bool:
    """Do all tiles lie on one line of the colour (or one loop)?"""
    n = len(sides)
    start, away = 0, -1
    for c in range(n):
        for d in range(SIDES):
            if beside[c, d] < 0 and colour_at(sides[c], d) == colour:
                start, away = c, d
    c, met, out = start, 0, 0
    while True:
        for d in range(SIDES):
            if d != away and colour_at(sides[c], d) == colour:
                out = d
        met += 1
        c, away = beside[c, out], (out + 3) % SIDES
        if c < 0 or c == start or met > n:
            return met == n
