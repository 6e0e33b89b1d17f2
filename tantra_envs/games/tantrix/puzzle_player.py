"""Exact solver for the puzzles of Tantrix: Discovery, Rainbow, the daily puzzle.

A loop through all n tiles without holes is the outline of a shape made of n - 2 triangles, each with its corners in
three cells that touch; no cell lies inside it. How many triangles meet in a cell says how the loop turns there, and so
which tiles can lie in it: one or five a corner, two or four a bend, three a straight. The solver walks through the
outlines that use up the turns of the tiles at hand, and fills each cell by cell. Given time it goes through all there
are, so it finds a solution if there is one. Pyramids and the daily puzzle are filled as they are.
"""

from __future__ import annotations

import functools
import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...core.game import Game
from ...core.observation import Actions
from .daily import puzzle_of
from .fillings import FOUND, NONE, Cell, Filling
from .material import COLOURS, DIRECTIONS, EDGES, SIDES
from .placements import encode
from .puzzles import LINE, LOOP, Puzzle

TURNS = ("", "corner", "bend", "straight", "bend", "corner")  # by the number of triangles that meet in a cell
FIRST_SHARE = 20_000  # tiles laid on one outline before the next has its turn; every round has ten times as many
SLICE = 100_000  # tiles laid between looks at the clock
PATIENCE = 60.0  # seconds the scripted player thinks before a puzzle

Board = list[list[int]]  # [tile, q, r, rot] of every tile
Tell = Callable[[int, int], None]  # hears of outlines tried and tiles laid


@dataclass
class Result:
    """What a search came to: a solution, None if there is none (`sure`), or None because time ran out."""

    board: Board | None
    sure: bool
    outlines: int
    laid: int
    seconds: float


# The scripted player


def choose(game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
    """The next step of the solution; where none was found, or the table is not on its way to it, the first action."""
    start = game.view["kit"].start
    lying = views[:, start : game.view["kit"].stop].reshape(len(views), -1, game.view["kit"].size // kit_size(game))
    steps = _steps(game)
    placed = lying[:, :, 0].sum(axis=1).astype(int) - int(lying[0, :, 1].sum())
    wanted = np.array([steps[k] if k < len(steps) else 0 for k in placed], np.int64)
    return np.where(masks[np.arange(len(masks)), wanted] == 1, wanted, masks.argmax(axis=1))


def worth(game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """For greedy: the number of tiles that lie."""
    kit = views[:, game.view["kit"].slice].reshape(len(views), kit_size(game), -1)
    return np.asarray(kit[:, :, 0].sum(axis=1), np.float64)


def kit_size(game: Game) -> int:
    """Tiles of the puzzle."""
    return game.actions["remove"].size


@functools.cache
def _steps(game: Game) -> list[int]:
    board = solve(game, PATIENCE).board
    return played(game, board) if board else []


def played(game: Game, board: Board) -> list[int]:
    """The actions that lay a solution, tile after tile; ValueError if the rules do not call the puzzle solved."""
    state, steps = game.new(), []
    lying = {tile for tile, *_ in game.position(state)["board"]}
    left = [(tile, q, r, rot) for tile, q, r, rot in board if tile not in lying]
    while left and not state["over"][0]:
        for placement in left:
            try:
                action = encode(game, state, placement)
                game.apply_action(state, action)
            except ValueError:  # it touches nothing yet
                continue
            left.remove(placement)
            steps.append(action)
            break
        else:
            break
    if game.position(state)["winners"] != [0]:
        raise ValueError(f"{game.name}: the board is no solution of {game.options.changed(game.config)}")
    return steps


# The search


def solve(game: Game, seconds: float, tell: Tell | None = None, seed: int = 1) -> Result:
    """Look for a solution until there is one, it is sure that there is none, or the time is up."""
    puzzle = puzzle_of(game.config)
    if puzzle is None:
        raise ValueError(f"{game.name}: mode={game.config['mode']!r} is not a puzzle")
    search = _Search(time.monotonic() + seconds, tell)
    board = _loop(puzzle, search, seed) if puzzle.task == LOOP else _shape(puzzle, search)
    if board and puzzle.task == LOOP:
        board = _with_first_fixed(board, puzzle.given[0][0])
    sure = board is not None or not search.late
    return Result(board, sure, search.outlines, search.laid, search.spent)


class _Search:
    """The clock and the counts of one search."""

    def __init__(self, deadline: float, tell: Tell | None) -> None:
        self.deadline, self.tell = deadline, tell
        self.started = time.monotonic()
        self.outlines = self.laid = 0
        self.late = False  # the time ran out before all was searched

    @property
    def spent(self) -> float:
        return time.monotonic() - self.started

    def fill(self, filling: Filling, share: int | None) -> int:
        """FOUND, NONE or, after laying `share` tiles (None: any number) or too late, UNDECIDED."""
        while True:
            size, before = SLICE if share is None else min(share, SLICE), filling.laid
            found = filling.search(size)
            self.laid += filling.laid - before
            if share is not None:
                share -= size
            self.late = time.monotonic() > self.deadline
            if self.tell:
                self.tell(self.outlines, self.laid)
            if found in (FOUND, NONE) or self.late or share == 0:
                return found


def _shape(puzzle: Puzzle, search: _Search) -> Board | None:
    filling = Filling(
        puzzle.cells,
        puzzle.kit,
        fixed={(q, r): (tile, rot) for tile, q, r, rot in puzzle.given},
        colour=COLOURS.find(puzzle.colour) + 1 if puzzle.colour else 0,
        line=puzzle.task == LINE,
    )
    return filling.board if search.fill(filling, None) == FOUND else None


def _loop(puzzle: Puzzle, search: _Search, seed: int) -> Board | None:
    """Rounds over all outlines, each round with more patience for every one, until none is left undecided."""
    share, undecided = FIRST_SHARE, True
    while undecided and not search.late:
        undecided = False
        for colour, loop, order in _tasks(puzzle, random.Random(seed)):
            search.outlines += 1
            filling = Filling(
                order, puzzle.kit, colour=COLOURS.index(colour) + 1, links=[_links(loop, cell) for cell in order]
            )
            found = search.fill(filling, share)
            if found == FOUND:
                return filling.board
            undecided |= found != NONE
            if search.late:
                break
        share *= 10
    return None


def _tasks(puzzle: Puzzle, chance: random.Random) -> Iterator[tuple[str, list[Cell], list[Cell]]]:
    """Colours and outlines to try; colours that are on all tiles take turns."""
    on_all = [colour for colour in puzzle.colour or COLOURS if all(colour in EDGES[tile - 1] for tile in puzzle.kit)]
    walks = [(colour, outlines(Counter(turn_of(tile, colour) for tile in puzzle.kit), chance)) for colour in on_all]
    while walks:
        for walk in list(walks):
            try:
                yield walk[0], *next(walk[1])
            except StopIteration:
                walks.remove(walk)


def turn_of(tile: int, colour: str) -> str:
    """How a tile's link of a colour turns."""
    one, other = (side for side in range(SIDES) if EDGES[tile - 1][side] == colour)
    return ("", "corner", "bend", "straight")[min(other - one, SIDES - other + one)]


def _links(loop: list[Cell], cell: Cell) -> tuple[int, int]:
    """The directions to the neighbours of a cell in the loop."""
    i = loop.index(cell)
    (q, r), before, after = cell, loop[i - 1], loop[(i + 1) % len(loop)]
    return DIRECTIONS.index((before[0] - q, before[1] - r)), DIRECTIONS.index((after[0] - q, after[1] - r))


def _with_first_fixed(board: Board, first: int) -> Board:
    """The board moved and turned so that the tile `first` lies at (0, 0) with rotation 0."""
    _, q0, r0, rot0 = next(entry for entry in board if entry[0] == first)
    turned = []
    for tile, q, r, rot in board:
        x, y = q - q0, r - r0
        for _ in range((SIDES - rot0) % SIDES):
            x, y = -y, x + y  # 60 degrees clockwise
        turned.append([tile, x, y, (rot - rot0) % SIDES])
    return turned


# Outlines


def outlines(turns: Counter[str], chance: random.Random) -> Iterator[tuple[list[Cell], list[Cell]]]:
    """All loops of cells without holes that turn so often: the cells in loop order, and in an order for filling.

    In the second order every cell but the first two touches two before it. Each loop is told once for every edge it
    may be begun with; the order of the loops depends on `chance`.
    """
    return _Walk(turns, chance).go_on((0, 0), [(1, 0)])


class _Walk:
    """Along the outline, edge after edge: each is left as it is, or gets one more triangle on its outer side."""

    def __init__(self, turns: Counter[str], chance: random.Random) -> None:
        self.cells = turns.total()
        self.left = Counter(turns)
        self.chance = chance
        self.triangles: dict[Cell, int] = {(0, 0): 0, (1, 0): 0}  # that meet in each cell so far
        self.behind: list[Cell] = []  # cells the walk has left

    def go_on(self, here: Cell, ahead: list[Cell]) -> Iterator[tuple[list[Cell], list[Cell]]]:
        """From `here` along the cells `ahead`, the next last; the walk ends where it began."""
        ways = [self._grow, self._leave]
        self.chance.shuffle(ways)
        for way in ways:
            yield from way(here, ahead)

    def _grow(self, here: Cell, ahead: list[Cell]) -> Iterator[tuple[list[Cell], list[Cell]]]:
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

    def _leave(self, here: Cell, ahead: list[Cell]) -> Iterator[tuple[list[Cell], list[Cell]]]:
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
