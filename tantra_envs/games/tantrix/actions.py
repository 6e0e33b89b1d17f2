"""Number the actions; the option `encoding` selects the numbering of placements.

`f` counts the empty spaces next to the Tantrix, sorted by (r, q). `i` counts the tiles of the hand. `j` counts the
rotations with which that tile matches that space, ascending; there are at most two:

    compact      (f * 6 + i) * 2 + j               114 * 6 * 2 =  1,368
    frontier     (f * 6 + i) * 6 + rot             114 * 6 * 6 =  4,104
    window       ((y * W + x) * 6 + i) * 6 + rot    W = 29: 30,276, W = 57: 116,964

Solitaire and Gobble have one tile in hand, so they have no `i`. Solitaire has 30 spaces. Gobble adds its other
choices. The window is centred on the box of the tiles. Puzzles of n tiles are always compact, `(f * n + i) * 2 + j`
for tile i of the kit. Puzzles with a shape count its cells, with all rotations. A walk along a loop counts the two
sides with which a tile can join, `2 * i + side`.

On the empty table the only space is (0, 0). There the compact frontier has only rotation 0, because all openings are
equal up to a rotation of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.actions import Action, ActionBlocks, Hole, other_seats
from .material import ROTATIONS, SIDES, STRATEGY_SPACES, Puzzle
from .puzzles.daily import puzzle_of
from .state import hand_size, walks

BONUSES = ("keep", "bag", "play")
GOBBLE_PLACES = STRATEGY_SPACES * ROTATIONS  # placements of the compact frontier


def actions(config: Mapping[str, Any], **holes: Hole) -> ActionBlocks:
    """Return the table of actions for a configuration. `holes` have the words that depend on the board."""
    return ActionBlocks(*_blocks(config), **holes, bonus=BONUSES, seat=other_seats(config["players"]))


def _blocks(config: Mapping[str, Any]) -> list[Action]:
    puzzle, mode = puzzle_of(config), config["mode"]
    if puzzle is not None:
        return _building(config, puzzle)
    if mode == "gobble":
        place = Action("place", "{placement}", f"tile in hand {_numbered(config)}", "PLACE")
        return [place, *(_race() if config["players"] > 1 else _bonus())]
    if mode == "solitaire":
        return [Action("place", "{placement}", f"tile in hand {_numbered(config)}", "FREE")]
    return [Action("place", "{placement}", f"tile of slot i {_numbered(config)}", "FILL, FREE, REFILL")]


def _numbered(config: Mapping[str, Any]) -> str:
    """Describe the place of a tile and the number of the action."""
    slots, encoding = hand_size(config["mode"]), config["encoding"]
    place = f"(y * {config['window']} + x)" if encoding == "window" else "f"
    index = f"({place} * {slots} + i)" if slots > 1 else place
    where = "on cell x, y of the window" if encoding == "window" else "in space f"
    if encoding == "compact":
        return f"{where} with its j-th matching rotation: {index} * {ROTATIONS} + j"
    return f"{where} with rotation rot: {index} * {SIDES} + rot"


def _bonus() -> list[Action]:
    return [Action("bonus", "{bonus}", "the penalty tile: keep it, into the bag, or play it", "BONUS")]


def _race() -> list[Action]:
    return [
        Action("penalty", "{penalty}", "the same for the top of the own penalty stack", "PLACE"),
        Action("discard", "discard", "tile in hand onto the penalty stack", "PLACE"),
        Action("pass", "pass", "when nothing else is legal", "PLACE"),
        Action("give pile", "give pile {seat}", "top of the pile, or the tile in hand, to seat me + 1 + i", "OFFLOAD"),
        Action("give penalty", "give penalty {seat}", "top of the penalty stack to seat me + 1 + i", "OFFLOAD"),
    ]


def _building(config: Mapping[str, Any], puzzle: Puzzle) -> list[Action]:
    n = len(puzzle.kit)
    if walks(config, puzzle):
        meaning = (
            "tile i of the kit at the open end, joined by the lower or higher of its sides in the colour: 2 * i + side"
        )
    elif puzzle.cells:
        meaning = f"tile i of the kit on cell c with rotation rot: (c * {n} + i) * 6 + rot"
    else:
        meaning = f"tile i of the kit in space f with its j-th matching rotation: (f * {n} + i) * 2 + j"
    return [
        Action("place", "{placement}", meaning, "FREE"),
        Action("remove", "remove {cell}", "tile i of the kit is taken up, with allow_remove", "FREE"),
    ]
