"""Find loops of cells without holes by their turns, whatever the colours of the tiles.

A loop through n cells without holes is the outline of a shape of n - 2 triangles. Each triangle has its corners in
three cells that touch, and no cell is inside the shape. The number of triangles that meet in a cell determines the
turn of the loop there.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator

from ..material import DIRECTIONS, EDGES, SIDES
from .fillings import Cell

TURNS = ("", "corner", "bend", "straight", "bend", "corner")  # indexed by the number of triangles that meet in a cell
Outline = tuple[list[Cell], list[Cell]]  # the cells in loop order, and in an order for filling
MayStep = Callable[[], bool]  # called before every step of the walk; False ends the walk


def turn_of(tile: int, colour: str) -> str:
    """Return the turn of a tile's link of a colour."""
    one, other = (side for side in range(SIDES) if EDGES[tile - 1][side] == colour)
    return ("", "corner", "bend", "straight")[min(other - one, SIDES - other + one)]


def outlines(turns: Counter[str], chance: random.Random, may_step: MayStep) -> Iterator[Outline]:
    """Yield all loops of cells without holes that have these numbers of turns.

    In the order for filling, every cell but the first two touches two earlier cells. Each loop appears once for every
    edge at which it can begin. The order of the loops depends on `chance`.
    """
    return _Walk(turns, chance, may_step).go_on((0, 0), [(1, 0)])


class _Walk:
    """A walk along the outline, edge by edge: each edge stays as it is or gets a triangle on its outer side."""

    def __init__(self, turns: Counter[str], chance: random.Random, may_step: MayStep) -> None:
        self.cells = turns.total()
        self.left = Counter(turns)
        self.chance = chance
        self.may_step = may_step
        self.triangles: dict[Cell, int] = {(0, 0): 0, (1, 0): 0}  # number of triangles that meet in each cell so far
        self.behind: list[Cell] = []  # cells that the walk has left

    def go_on(self, here: Cell, ahead: list[Cell]) -> Iterator[Outline]:
        """Go on from `here` along the cells `ahead`, the next last; the walk ends at its start."""
        if not self.may_step():
            return
        ways = [self._grow, self._leave]
        self.chance.shuffle(ways)
        for way in ways:
            yield from way(here, ahead)

    def _grow(self, here: Cell, ahead: list[Cell]) -> Iterator[Outline]:
        """Add a triangle over the next edge, with a new cell at its tip."""
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
        """Finish the cell `here` and go to the next cell or the start."""
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
    """Return the number of empty areas enclosed by connected cells, by Euler's formula."""
    contacts = threes = 0
    for q, r in cells:
        ne, e, se = ((q + dq, r + dr) in cells for dq, dr in DIRECTIONS[:3])
        contacts += ne + e + se
        threes += (ne and e) + (e and se)
    return contacts - threes - len(cells) + 1
