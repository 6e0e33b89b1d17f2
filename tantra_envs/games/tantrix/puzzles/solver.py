"""Solve the puzzles of Tantrix exactly: Discovery, Rainbow and the daily puzzle.

A loop needs an outline (outlines.py) with the turns of the tiles: one or five triangles that meet in a cell make a
corner, two or four a bend, three a straight. The solver goes through these outlines and fills each cell by cell. With
enough nodes it tries all outlines, so it finds a solution if there is one. Pyramids and the daily puzzle have a fixed
shape.

The budget is in nodes, not in seconds, so the result is equal on every machine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ....core.game import Game
from ..material import COLOURS, DIRECTIONS, EDGES, SIDES, Puzzle, Task
from .daily import puzzle_of
from .fillings import FOUND, NONE, Cell, Filling
from .outlines import Outline, outlines, turn_of

NODES = 20_000_000  # limit of tiles placed and steps along outlines in one search
FIRST_SHARE = 20_000  # tiles placed on one outline before the next one; every round has ten times as many
SLICE = 100_000  # tiles placed between calls of `progress`

Board = list[list[int]]  # [tile, q, r, rot] of every tile
Progress = Callable[[int, int], None]  # called with the numbers of outlines tried and tiles placed


@dataclass
class Result:
    """The result of a search: a solution, or None: no solution exists (`sure`), or the nodes were used up."""

    board: Board | None
    sure: bool
    outlines: int
    laid: int


def solve(game: Game, nodes: int = NODES, progress: Progress | None = None, seed: int = 1) -> Result:
    """Search for a solution until one is found, all outlines are tried, or the nodes are used up.

    Raises:
        ValueError: The game is not a puzzle.
    """
    puzzle = puzzle_of(game.config)
    if puzzle is None:
        raise ValueError(
            f"{game.name}: mode={game.config['mode']!r} is not a puzzle; allowed: 'discovery', 'rainbow', 'daily'"
        )
    search = _Search(nodes, progress)
    board = _loop(puzzle, search, seed) if puzzle.task == Task.LOOP else _shape(puzzle, search)
    if board and puzzle.task == Task.LOOP:
        board = _with_first_fixed(board, puzzle.given[0][0])
    return Result(board, board is not None or not search.used_up, search.outlines, search.laid)


class _Search:
    """The remaining nodes and the counts of one search."""

    def __init__(self, nodes: int, progress: Progress | None) -> None:
        self.left, self.progress = nodes, progress
        self.outlines = self.laid = 0

    @property
    def used_up(self) -> bool:
        """Return whether the nodes ran out."""
        return self.left <= 0

    def may_step(self) -> bool:
        """Count one step along an outline; return whether nodes are left for it."""
        self.left -= 1
        return self.left > 0

    def fill(self, filling: Filling, share: int | None) -> int:
        """Search a filling and return FOUND, NONE or UNDECIDED.

        The result is UNDECIDED after `share` tiles (None: any number) or when the nodes are used up.
        """
        while True:
            size, before = min(share or SLICE, SLICE, max(self.left, 0)), filling.laid
            found = filling.search(size)
            self.laid += filling.laid - before
            self.left -= filling.laid - before
            if share is not None:
                share -= size
            if self.progress:
                self.progress(self.outlines, self.laid)
            if found in (FOUND, NONE) or self.used_up or share == 0:
                return found


def _shape(puzzle: Puzzle, search: _Search) -> Board | None:
    filling = Filling(
        puzzle.cells,
        puzzle.kit,
        fixed={(q, r): (tile, rot) for tile, q, r, rot in puzzle.given},
        colour=COLOURS.find(puzzle.colour) + 1 if puzzle.colour else 0,
        line=puzzle.task == Task.LINE,
    )
    return filling.board if search.fill(filling, None) == FOUND else None


def _loop(puzzle: Puzzle, search: _Search, seed: int) -> Board | None:
    """Go over all outlines in rounds, each with a larger share per outline, until none is undecided."""
    share, undecided = FIRST_SHARE, True
    while undecided and not search.used_up:
        undecided = False
        for colour, (loop, order) in _tasks(puzzle, random.Random(seed), search):
            search.outlines += 1
            filling = Filling(
                order, puzzle.kit, colour=COLOURS.index(colour) + 1, links=[_links(loop, cell) for cell in order]
            )
            found = search.fill(filling, share)
            if found == FOUND:
                return filling.board
            undecided |= found != NONE
        share *= 10
    return None


def _tasks(puzzle: Puzzle, chance: random.Random, search: _Search) -> Iterator[tuple[str, Outline]]:
    """Yield the colours and outlines to try; the colours that all tiles have take turns."""
    on_all = [colour for colour in puzzle.colour or COLOURS if all(colour in EDGES[tile - 1] for tile in puzzle.kit)]
    turns = {colour: Counter(turn_of(tile, colour) for tile in puzzle.kit) for colour in on_all}
    walks = [(colour, outlines(turns[colour], chance, search.may_step)) for colour in on_all]
    while walks:
        for walk in list(walks):
            try:
                yield walk[0], next(walk[1])
            except StopIteration:
                walks.remove(walk)


def _links(loop: list[Cell], cell: Cell) -> tuple[int, int]:
    """Return the directions from a cell to its neighbours in the loop."""
    i = loop.index(cell)
    (q, r), before, after = cell, loop[i - 1], loop[(i + 1) % len(loop)]
    return DIRECTIONS.index((before[0] - q, before[1] - r)), DIRECTIONS.index((after[0] - q, after[1] - r))


def _with_first_fixed(board: Board, first: int) -> Board:
    """Return the board moved and turned so that the tile `first` is at (0, 0) with rotation 0."""
    _, q0, r0, rot0 = next(entry for entry in board if entry[0] == first)
    turned = []
    for tile, q, r, rot in board:
        x, y = q - q0, r - r0
        for _ in range((SIDES - rot0) % SIDES):
            x, y = -y, x + y  # 60 degrees clockwise
        turned.append([tile, x, y, (rot - rot0) % SIDES])
    return turned
