"""The puzzles as data: 28 of Discovery, five of Rainbow. The daily ones are made in daily.py."""

from __future__ import annotations

from dataclasses import dataclass

from .material import BACKS, TILES

DISCOVERY_SIZES = range(3, 31)
RAINBOW = ("green", "yellow", "white", "blue", "red")
PYRAMIDS = {"blue": 4, "red": 5}  # tiles on a side
LOOP, LINE, FILLED = range(3)  # what solves a puzzle


@dataclass(frozen=True)
class Puzzle:
    """What to make of which tiles. Without `cells` they may be laid anywhere that touches."""

    kit: tuple[int, ...]
    task: int
    colour: str = ""  # of the loop or line; empty: any will do
    cells: tuple[tuple[int, int], ...] = ()
    given: tuple[tuple[int, int, int, int], ...] = ()  # tile, q, r, rot: laid from the start


def discovery(n: int) -> Puzzle:
    """A loop through the tiles 1..n in the colour on the back of the last [W1]; the first lies fixed [W5]."""
    return _loop(range(1, n + 1), BACKS[n - 1])


def rainbow(name: str) -> Puzzle:
    """The tiles with one colour on the back [X1]."""
    letter = name[0].upper()
    kit = tuple(tile for tile in range(1, TILES + 1) if BACKS[tile - 1] == letter)
    if name not in PYRAMIDS:
        return _loop(kit, "" if name == "white" else letter)  # [X2, X3]
    cells = tuple((q, r) for r in range(PYRAMIDS[name]) for q in range(-r, 1))  # [X4]
    return Puzzle(kit, LINE, letter, cells)


def _loop(tiles: range | tuple[int, ...], colour: str) -> Puzzle:
    return Puzzle(tuple(tiles), LOOP, colour, given=((tiles[0], 0, 0, 0),))
