r"""Define the 56 tiles and the puzzles of the booklet: 28 of Discovery and five of Rainbow.

A tile is a string with the colours of its six sides, clockwise from the first. With rotation `rot`, in clockwise
turns of 60 degrees, the tile shows `EDGES[tile][(d - rot) % 6]` towards direction `d`:

          5  ___  0
           /     \
        4 |       | 1        0 NE  1 E  2 SE  3 SW  4 W  5 NW
           \ ___ /
          3       2

Compiled code uses numbers: colours 1..4, tiles 1..56, 0 = none.
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
HAND = 6  # tiles in a Strategy hand, and the most that `hand_size` allows
LOOP, MOST_LOOP = 2, 3  # how many times a loop counts, unless `loop_factor` says otherwise, and at most [D8]
MAX_SEATS = 6  # Gobble has six seats at most; Strategy has one for each colour at most
ROTATIONS = 2  # most rotations of a tile that match a space with a neighbour

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


# The tiles of a smaller deck, by the option `deck_tiles`; row 0 is not used [S19].
SMALL_DECKS = np.zeros((2, TILES + 1), np.int8)
SMALL_DECKS[1, [3, 5, 14, 21, 23]] = 1


# [Tiles]


def turned(tile: int, rot: int) -> str:
    """Return the colours that a tile with a rotation shows towards directions 0..5."""
    edges = EDGES[tile - 1]
    return edges[SIDES - rot :] + edges[: SIDES - rot]


def without(colour: str) -> list[int]:
    """Return the 14 tiles that do not have a colour, ascending."""
    return [tile for tile, edges in enumerate(EDGES, start=1) if colour not in edges]


def packed(sides: str) -> int:
    """Return six colours packed into one number, three bits for each direction."""
    return sum((COLOURS.index(colour) + 1) << 3 * d for d, colour in enumerate(sides))


def _partner(edges: str, side: int) -> int:
    """Return the other side with the same colour, the far end of the link."""
    return next(other for other in range(SIDES) if other != side and edges[other] == edges[side])


def _check_tiles() -> None:
    """Check that the tiles are all colourings of three pairs of sides except eight triple straights [G5]."""
    assert all(sorted(Counter(edges).values()) == [2, 2, 2] for edges in EDGES)
    assert len({turned(tile, rot) for tile in range(1, TILES + 1) for rot in range(SIDES)}) == TILES * SIDES
    assert all(len(without(colour)) == TILES // len(COLOURS) for colour in COLOURS)
    assert all(sum(set(edges) == set(three) for edges in EDGES) == 14 for three in combinations(COLOURS, 3))
    assert not any(edges[:3] == edges[3:] for edges in EDGES)


_check_tiles()


def _rotations(tile: int, side: int, colour: int) -> int:
    """Return a bit for each rotation in which a tile shows a colour (0 = any) towards a direction."""
    shows = [colour == 0 or EDGES[tile - 1][(side - rot) % SIDES] == COLOURS[colour - 1] for rot in range(SIDES)]
    return sum(1 << rot for rot, yes in enumerate(shows) if yes)


def _fitting() -> npt.NDArray[np.int8]:
    """Return SHOWING for three directions at once, indexed by three digits of three bits."""
    shows = np.zeros((TILES + 1, SIDES, 8), np.int8)
    shows[:, :, : len(COLOURS) + 1] = SHOWING.reshape(TILES + 1, SIDES, -1)
    return np.asarray(
        shows[:, 2, :, None, None] & shows[:, 1, None, :, None] & shows[:, 0, None, None, :], np.int8
    ).reshape(-1)


# By (6 * tile + direction) * 5 + colour: the rotations that show the colour in that direction.
SHOWING = np.array(
    [0] * SIDES * (len(COLOURS) + 1)
    + [_rotations(t, d, c) for t in range(1, TILES + 1) for d in range(SIDES) for c in range(len(COLOURS) + 1)]
)
# By 5 * tile + colour: bit 6 * rot for each rotation that shows the colour to NE.
RINGS = np.array(
    [
        sum(1 << SIDES * rot for rot in range(SIDES) if tile and colour and _rotations(tile, 0, colour) >> rot & 1)
        for tile in range(TILES + 1)
        for colour in range(len(COLOURS) + 1)
    ]
)
# By 512 * tile + three sides: the rotations that show these sides to the first three directions.
FITTING = _fitting()
# By 6 * tile + rot: the sides shown. By 6 * (6 * tile + rot) + d: the other end of the link from d.
SHOWN = np.array([0] * SIDES + [packed(turned(tile, rot)) for tile in range(1, TILES + 1) for rot in range(SIDES)])
LINK = np.array(
    [0] * SIDES**2
    + [_partner(turned(tile, rot), d) for tile in range(1, TILES + 1) for rot in range(SIDES) for d in range(SIDES)],
    np.int8,
)


# [Spaces]


def most_spaces(tiles: int) -> int:
    """Return the largest possible number of spaces next to all tiles but the last, for connected tiles.

    The first tile has six spaces. Every later tile fills one space and opens at most three: one of its six sides
    touches the older tile, and the two sides next to that one face cells that already touch the older tile. A straight
    line of tiles reaches this number.
    """
    return 2 * (tiles - 1) + 4


STRATEGY_SPACES, SOLITAIRE_SPACES = most_spaces(TILES), most_spaces(TILES // len(COLOURS))
MAX_SPACES = STRATEGY_SPACES + 2  # also those round the last tile; a shape of 19 cells has fewer: at most 6 * 19


# [Puzzles]

DISCOVERY_SIZES = range(3, 31)
RAINBOW_PUZZLES = ("green", "yellow", "white", "blue", "red")
PYRAMIDS = {"blue": 4, "red": 5}  # tiles on a side


class Task(IntEnum):
    """The goal of a puzzle: all tiles on one loop, on one line, or only on their cells."""

    LOOP = 0
    LINE = 1
    FILLED = 2


@dataclass(frozen=True)
class Puzzle:
    """The tiles of a puzzle and its goal. Without `cells` the tiles may be placed anywhere that touches."""

    kit: tuple[int, ...]
    task: Task
    colour: str = ""  # colour of the loop or line; empty: any colour
    cells: tuple[tuple[int, int], ...] = ()
    given: tuple[tuple[int, int, int, int], ...] = ()  # tile, q, r, rot of the tiles placed at the start


def discovery(n: int) -> Puzzle:
    """Return the puzzle with tiles 1..n and a loop in the back colour of tile n [W1]; tile 1 is fixed [W5]."""
    return _loop(range(1, n + 1), BACKS[n - 1])


def rainbow(name: str) -> Puzzle:
    """Return the puzzle with the tiles that have one colour on the back [X1]."""
    letter = name[0].upper()
    kit = tuple(tile for tile in range(1, TILES + 1) if BACKS[tile - 1] == letter)
    if name not in PYRAMIDS:
        return _loop(kit, "" if name == "white" else letter)  # [X2, X3]
    cells = tuple((q, r) for r in range(PYRAMIDS[name]) for q in range(-r, 1))  # [X4]
    return Puzzle(kit, Task.LINE, letter, cells)


def _loop(tiles: range | tuple[int, ...], colour: str) -> Puzzle:
    return Puzzle(tuple(tiles), Task.LOOP, colour, given=((tiles[0], 0, 0, 0),))
