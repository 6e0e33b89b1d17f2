"""Action ids: the compact frontier.

`f` counts the empty spaces next to the Tantrix, sorted by (r, q); `slot` the tiles of the hand; `j` the rotations
with which that tile matches that space, of which there are never more than two, ascending:

    Strategy     (f * 6 + slot) * 2 + j      114 * 6 * 2 = 1368
    Solitaire    f * 2 + j                    30 * 2     =   60
    Gobble       f * 2 + j                   114 * 2     =  228, and what else a player may choose

On the empty table the only space is (0, 0) and the only rotation 0: all openings are alike up to turning the table.
"""

from __future__ import annotations

from ...core.blocks import Block, Blocks
from .material import COLOURS, HAND, TILES

BONUSES = ("keep", "bag", "play")
ROTATIONS = 2  # of a tile that match a space with a neighbour


def most_spaces(tiles: int) -> int:
    """The most spaces there can be next to all tiles but the last."""
    return 2 * (tiles - 1) + 4


STRATEGY_SPACES, SOLITAIRE_SPACES = most_spaces(TILES), most_spaces(TILES // len(COLOURS))
GOBBLE_PLACES = STRATEGY_SPACES * ROTATIONS
MAX_SPACES = STRATEGY_SPACES + 2  # round the last tile too


def actions(mode: str, players: int) -> Blocks:
    """The action table of a mode."""
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
        return Blocks(place, Block("bonus", len(BONUSES), "the penalty tile: keep it, into the bag, or play it", "BONUS"))
    return Blocks(
        place,
        Block("penalty", GOBBLE_PLACES, "the same for the top of the own penalty stack", "PLACE"),
        Block("discard", 1, "tile in hand onto the penalty stack", "PLACE"),
        Block("pass", 1, "when nothing else is legal", "PLACE"),
        Block("give pile", players - 1, "top of the pile, or the tile in hand, to seat me + 1 + i", "OFFLOAD"),
        Block("give penalty", players - 1, "top of the penalty stack to seat me + 1 + i", "OFFLOAD"),
    )
