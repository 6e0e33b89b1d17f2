"""The 56 tiles, and the puzzles they come with: 28 of Discovery, five of Rainbow.

A tile is the colours of its six sides, clockwise from the first. Turned `rot` times by 60 degrees it
shows `EDGES[tile][(d - rot) % 6]` towards direction d:

          5  ___  0
           /     \\
        4 |       | 1        0 NE  1 E  2 SE  3 SW  4 W  5 NW
           \\ ___ /
          3       2

Everything compiled speaks numbers: colours 1..4, tiles 1..56, 0 = none.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

import numpy as np
import numpy.typing as npt

COLOURS = "RYGB"
TILES = 56
SIDES = 6
HAND = 6  # tiles in a Strategy hand
MAX_SEATS = 6  # of Gobble; Strategy has one for each colour at most
ROTATIONS = 2  # of a tile that match a space with a neighbour

DIRECTIONS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))  # (q, r) from a cell to its neighbours
BACKS = "YYYRRBBBYRRYBBRRYRRYYYYRRRRRRRYGGGGGGGBBBBBYGGGWWWWWWWWW"  # colour of the number on the back [G6]

EDGES = (
    *["BRBRYY", "BRRBYY", "BBYYRR", "BRYBYR", "BBRYYR", "BRYRBY", "BBYRYR", "BBRYRY"],  # 1..8
    *["BRBYRY", "BRBYYR", "BYBYRR", "BRRYBY", "BBYRRY", "BBRRYY", "GGRYYR", "GGYRRY"],  # 9..16
    *["GRGRYY", "GRGYYR", "GYGYRR", "GRRYGY", "GGRRYY", "GRRGYY", "GGYYRR", "BGGBRR"],  # 17..24
    *["BBGGRR", "BBGRRG", "BGBGRR", "BBRRGG", "BGBRRG", "BBRGGR", "GGRYRY", "GRYGYR"],  # 25..32
    *["GGYRYR", "GRGYRY", "GRYRGY", "BGGRBR", "BBGRGR", "BBRGRG", "BGBRGR", "BGRBRG"],  # 33..40
    *["BRBRGG", "BGRGBR", "BBYYGG", "BGYGBY", "BBGGYY", "BYBYGG", "BBYGGY", "BGGBYY"],  # 41..48
    *["BBGYYG", "BGYBYG", "BGBYGY", "BGGYBY", "BGBYYG", "BGBGYY", "BBGYGY", "BBYGYG"],  # 49..56
)


# [Tiles]


def turned(tile: int, rot: int) -> str:
    """The colours a tile shows towards directions 0..5."""
    edges = EDGES[tile - 1]
    return edges[SIDES - rot :] + edges[: SIDES - rot]


def without(colour: str) -> list[int]:
    """The 14 tiles that do not carry a colour, ascending."""
    return [tile for tile, edges in enumerate(EDGES, start=1) if colour not in edges]


def packed(sides: str) -> int:
    """Six colours in one number, three bits for each direction."""
    return sum((COLOURS.index(colour) + 1) << 3 * d for d, colour in enumerate(sides))


def _partner(edges: str, side: int) -> int:
    """The other side with the same colour: the far end of the link."""
    return next(other for other in range(SIDES) if other != side and edges[other] == edges[side])


def _check_tiles() -> None:
    """G5: every colouring of every pairing of the sides with three colours, less the eight triple straights."""
    assert all(sorted(Counter(edges).values()) == [2, 2, 2] for edges in EDGES)
    assert len({turned(tile, rot) for tile in range(1, TILES + 1) for rot in range(SIDES)}) == TILES * SIDES
    assert all(len(without(colour)) == TILES // len(COLOURS) for colour in COLOURS)
    assert all(sum(set(edges) == set(three) for edges in EDGES) == 14 for three in combinations(COLOURS, 3))
    assert not any(edges[:3] == edges[3:] for edges in EDGES)


_check_tiles()


def _rotations(tile: int, side: int, colour: int) -> int:
    """A bit for each rotation in which a tile shows a colour towards a direction; 0 stands for any colour."""
    shows = [colour == 0 or EDGES[tile - 1][(side - rot) % SIDES] == COLOURS[colour - 1] for rot in range(SIDES)]
    return sum(1 << rot for rot, yes in enumerate(shows) if yes)


def _fitting() -> npt.NDArray[np.int8]:
    """SHOWING of three directions at once, by as many digits of three bits."""
    shows = np.zeros((TILES + 1, SIDES, 8), np.int8)
    shows[:, :, : len(COLOURS) + 1] = SHOWING.reshape(TILES + 1, SIDES, -1)
    return np.asarray(
        shows[:, 2, :, None, None] & shows[:, 1, None, :, None] & shows[:, 0, None, None, :], np.int8
    ).reshape(-1)


# By (6 * tile + direction) * 5 + colour: the rotations that show it there.
SHOWING = np.array(
    [0] * SIDES * (len(COLOURS) + 1)
    + [_rotations(t, d, c) for t in range(1, TILES + 1) for d in range(SIDES) for c in range(len(COLOURS) + 1)]
)
# By 5 * tile + colour: bit 6 * rot for each rotation that shows it to NE.
RINGS = np.array(
    [
        sum(1 << SIDES * rot for rot in range(SIDES) if tile and colour and _rotations(tile, 0, colour) >> rot & 1)
        for tile in range(TILES + 1)
        for colour in range(len(COLOURS) + 1)
    ]
)
# By 512 * tile + three sides: the rotations that show these to the first three directions.
FITTING = _fitting()
# By 6 * tile + rot: the sides shown. By 6 * (6 * tile + rot) + d: where the link from direction d leads.
SHOWN = np.array([0] * SIDES + [packed(turned(tile, rot)) for tile in range(1, TILES + 1) for rot in range(SIDES)])
LINK = np.array(
    [0] * SIDES**2
    + [_partner(turned(tile, rot), d) for tile in range(1, TILES + 1) for rot in range(SIDES) for d in range(SIDES)],
    np.int8,
)


# [Spaces]


def most_spaces(tiles: int) -> int:
    """The most spaces there can be next to all tiles but the last, if each touches one before it.

    The first has six. Any other fills a space and opens three at most: of its six sides one has the tile it touches,
    and the two beside that one are next to that tile too. A straight line reaches it.
    """
    return 2 * (tiles - 1) + 4


STRATEGY_SPACES, SOLITAIRE_SPACES = most_spaces(TILES), most_spaces(TILES // len(COLOURS))
MAX_SPACES = STRATEGY_SPACES + 2  # round the last tile too; the 19 cells of a shape have less, even all apart: 6 * 19


# [Puzzles]

DISCOVERY_SIZES = range(3, 31)
RAINBOW_PUZZLES = ("green", "yellow", "white", "blue", "red")
PYRAMIDS = {"blue": 4, "red": 5}  # tiles on a side


class Task(IntEnum):
    """What solves a puzzle: all tiles on one loop, on one line, or just on their cells."""

    LOOP = 0
    LINE = 1
    FILLED = 2


@dataclass(frozen=True)
class Puzzle:
    """What to make of which tiles. Without `cells` they may be laid anywhere that touches."""

    kit: tuple[int, ...]
    task: Task
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
    return Puzzle(kit, Task.LINE, letter, cells)


def _loop(tiles: range | tuple[int, ...], colour: str) -> Puzzle:
    return Puzzle(tuple(tiles), Task.LOOP, colour, given=((tiles[0], 0, 0, 0),))
