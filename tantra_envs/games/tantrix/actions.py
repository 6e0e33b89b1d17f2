"""Action ids: the compact frontier.

`f` counts the empty spaces next to the Tantrix, sorted by (r, q); `slot` the tiles of the hand; `j` the rotations
with which that tile matches that space, of which there are never more than two, ascending:

    Strategy     (f * 6 + slot) * 2 + j      114 * 6 * 2 = 1368
    Solitaire    f * 2 + j                    30 * 2     =   60
    Gobble       f * 2 + j                   114 * 2     =  228, and what else a player may choose
    puzzles      (f * n + i) * 2 + j         (2n + 2) * n * 2, i the tile of a kit of n

Puzzles with a shape count its cells instead, with all rotations: (c * n + i) * 6 + rot.

On the empty table the only space is (0, 0) and the only rotation 0: all openings are alike up to turning the table.
"""

from __future__ import annotations

from ...core.blocks import Block, Blocks
from .material import COLOURS, HAND, SIDES, TILES
from .puzzles import Puzzle

BONUSES = ("keep", "bag", "play")
ROTATIONS = 2  # of a tile that match a space with a neighbour


def most_spaces(tiles: int) -> int:
    """The most spaces there can be next to all tiles but the last."""
    return 2 * (tiles - 1) + 4


STRATEGY_SPACES, SOLITAIRE_SPACES = most_spaces(TILES), most_spaces(TILES // len(COLOURS))
GOBBLE_PLACES = STRATEGY_SPACES * ROTATIONS
MAX_SPACES = STRATEGY_SPACES + 2  # round the last tile too


def actions(mode: str, players: int, puzzle: Puzzle | None) -> Blocks:
    """The action table of a mode."""
    if puzzle is not None:
        return _building(puzzle)
    if mode == "gobble":
        return _gobble(players)
    if mode == "solitaire":
        return Blocks(
            Block("place", SOLITAIRE_SPACES * ROTATIONS, "space f, j-th matching rotation: f * 2 + j", "FREE")
        )
    return Blocks(
        Block(
            "place",
            STRATEGY_SPACES * HAND * ROTATIONS,
            "tile of slot i in space f with its j-th matching rotation: (f * 6 + i) * 2 + j",
            "FILL, FREE, REFILL",
        )
    )


def _gobble(players: int) -> Blocks:
    place = Block("place", GOBBLE_PLACES, "tile in hand in space f, j-th matching rotation: f * 2 + j", "PLACE")
    if players == 1:
        return Blocks(
            place, Block("bonus", len(BONUSES), "the penalty tile: keep it, into the bag, or play it", "BONUS")
        )
    return Blocks(
        place,
        Block("penalty", GOBBLE_PLACES, "the same for the top of the own penalty stack", "PLACE"),
        Block("discard", 1, "tile in hand onto the penalty stack", "PLACE"),
        Block("pass", 1, "when nothing else is legal", "PLACE"),
        Block("give pile", players - 1, "top of the pile, or the tile in hand, to seat me + 1 + i", "OFFLOAD"),
        Block("give penalty", players - 1, "top of the penalty stack to seat me + 1 + i", "OFFLOAD"),
    )


def puzzle_spaces(puzzle: Puzzle) -> int:
    """Spaces that the actions of a puzzle count."""
    return len(puzzle.cells) or most_spaces(len(puzzle.kit))


def placements_of(puzzle: Puzzle) -> int:
    """Actions that lay a tile of the kit."""
    return puzzle_spaces(puzzle) * len(puzzle.kit) * (SIDES if puzzle.cells else ROTATIONS)


def _building(puzzle: Puzzle) -> Blocks:
    n = len(puzzle.kit)
    if puzzle.cells:
        says = f"tile i of the kit on cell c with rotation rot: (c * {n} + i) * 6 + rot"
    else:
        says = f"tile i of the kit in space f with its j-th matching rotation: (f * {n} + i) * 2 + j"
    return Blocks(
        Block("place", placements_of(puzzle), says, "FREE"),
        Block("remove", n, "tile i of the kit is taken up, with allow_remove", "FREE"),
    )
