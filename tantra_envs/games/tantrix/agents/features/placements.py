"""Compute the action features of Strategy and Solitaire: play each placement on a copy of the table and go on."""

from __future__ import annotations

from typing import Any

from .....core.blocks import Blocks
from .....core.compiled.jit import kernel
from .....core.game import Game
from .....core.state import Record, States
from ...material import TILES
from ...state import Mode
from . import solitaire, strategy
from .sets import set_of
from .table import OF_TABLE, describe_table


class Placements:
    """The features of one mode, see `core.features.Describing`."""

    def __init__(self, of_action: Blocks) -> None:
        self.OF_ACTION, self.OF_TABLE, self.describe_legal = of_action, OF_TABLE, describe_legal

    def prepare(self, game: Game) -> States:
        """Return the tables that `describe_legal` works on, (3,). Each thread needs its own.

        They are the table without the bag, after the placement, and after the next tile.
        """
        return game.blanks(3)


@kernel
def describe_legal(known: Record, mask: Any, tables: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number."""
    describe_table(known, table)
    unseen, n = set_of(known.bag), 0
    tables[0] = known
    _forget(tables[0])
    for action in range(len(mask)):
        if mask[action] == 1:
            tables[1] = tables[0]
            if known.opt.mode == Mode.SOLITAIRE:
                solitaire.describe_placement(tables, action, unseen, features[n])
            else:
                strategy.describe_placement(tables[1], action, unseen, features[n])
            n += 1
    return n


@kernel
def _forget(s: Record) -> None:
    """Empty the bag, because tiles to come are unknown, and reset the count of actions, so that no limit applies."""
    for i in range(TILES):
        s.bag[i] = 0
    s.plies = 0
