"""Action ids: the compact frontier.

`f` counts the empty spaces next to the Tantrix, sorted by (r, q); `slot` the tiles of the hand; `j` the rotations
with which that tile matches that space, of which there are never more than two, ascending:

    Strategy     (f * 6 + slot) * 2 + j      114 * 6 * 2 = 1368
    Solitaire    f * 2 + j                    30 * 2     =   60

On the empty table the only space is (0, 0) and the only rotation 0: all openings are alike up to turning the table.
"""

from __future__ import annotations

from ...core.blocks import Block, Blocks
from .material import COLOURS, HAND, TILES

ROTATIONS = 2  # of a tile that match a space with a neighbour


def most_spaces(tiles: int) -> int:
    """The most spaces there can be next to all tiles but the last."""
    return 2 * (tiles - 1) + 4


STRATEGY_SPACES, SOLITAIRE_SPACES = most_spaces(TILES), most_spaces(TILES // len(COLOURS))
MAX_SPACES = STRATEGY_SPACES + 2  # round the last tile too


def actions(mode: str) -> Blocks:
    """The action table of a mode."""
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
