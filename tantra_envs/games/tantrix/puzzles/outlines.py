"""Loops of cells without holes, by the turns they take: where the tiles of a loop can lie, whatever their colours.

A loop through n cells without holes is the outline of a shape made of n - 2 triangles, each with its corners in three
cells that touch; no cell lies inside it. How many triangles meet in a cell says how the loop turns there.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator

from ..material import DIRECTIONS, EDGES, SIDES
from .fillings import Cell

TURNS = ("", "corner", "bend", "straight", "bend", "corner")  # by the number of triangles that meet in a cell
Outline = tuple[list[Cell], list[Cell]]  # the cells in loop order, and in an order for filling
MayStep = Callable[[], bool]  # asked before every step of the walk; False ends it


def turn_of(tile: int, colour: str) -> str:
    """How a tile's link of a colour turns."""
    one, other = (side for side in range(SIDES) if EDGES[tile - 1][side] == colour)
    return ("", "corner", "bend", "straight")[min(other - one, SIDES - other + one)]


def outlines(turns: Counter[str], chance: random.Random, may_step: MayStep) -> Iterator[Outline]:
    """All loops of cells without holes that turn so often.

    In the order for filling every cell but the first two touches two before it. Each loop comes once for every edge it
    may be begun with; the order of the loops depends on `chance`.
    """
    return _Walk(turns, chance, may_step).go_on((0, 0), [(1, 0)])


class _Walk:
    """Along the outline, edge after edge: each is left as it is, or gets one more triangle on its outer side."""

    def __init__(self, turns: Counter[str], chance: random.Random, may_step: MayStep) -> None:
        self.cells = turns.total()
        self.left = Counter(turns)
        self.chance = chance
        self.may_step = may_step
        self.triangles: dict[Cell, int] = {(0, 0): 0, (1, 0): 0}  # that meet in each cell so far
        self.behind: list[Cell] = []  # cells the walk has left

    def go_on(self, here: Cell, ahead: list[Cell]) -> Iterator[Outline]:
        """From `here` along the cells `ahead`, the next last; the walk ends where it began."""
        if not self.may_step():
            return
        ways = [self._grow, self._leave]
        self.chance.shuffle(ways)
        for way in ways:
            yield from way(here, ahead)

    def _grow(self, here: Cell, ahead: list[Cell]) -> Iterator[Outline]:
        """A triangle over the next edge, with a new cell at its tip."""
        to, most = ahead[-1], len(TURNS) - 1
        d = DIRECTIONS.index((to[0] - here[0], to[1] - here[1]))
        dq, dr = DIRECTIONS[(d + 1) % SIDES]
        tip = here[0] + dq, here[1] + dr
        if len(self.triangles) < self.cells and max(self.triangles[here], self.triangles[to]) < most:
            if tip not in self.triangles:
                self.triangles[here] += 1
                self.triangles[to] += 1
                self.triangles[tip] = 1
                yield from self.go_on(here, [*ahead, tip])
                self.triangles[here] -= 1
                self.triangles[to] -= 1
                del self.triangles[tip]

    def _leave(self, here: Cell, ahead: list[Cell]) -> Iterator[Outline]:
        """No more triangles at `here`: on to the next cell, or home."""
        turn = TURNS[self.triangles[here]]
        if self.left[turn] > 0:
            self.left[turn] -= 1
            self.behind.append(here)
            if len(ahead) > 1:
                yield from self.go_on(ahead[-1], ahead[:-1])
            elif self._is_whole(ahead[0]):
                yield [*self.behind, ahead[0]], list(self.triangles)
            self.behind.pop()
            self.left[turn] += 1

    def _is_whole(self, last: Cell) -> bool:
        return (
            len(self.triangles) == self.cells
            and self.left[TURNS[self.triangles[last]]] > 0
            and holes(self.triangles) == 0
        )


def holes(cells: Collection[Cell]) -> int:
    """Empty places cut off by connected cells, by Euler's formula."""
    contacts = threes = 0
    for q, r in cells:
        ne, e, se = ((q + dq, r + dr) in cells for dq, dr in DIRECTIONS[:3])
        contacts += ne + e + se
        threes += (ne and e) + (e and se)
    return contacts - threes - len(cells) + 1
