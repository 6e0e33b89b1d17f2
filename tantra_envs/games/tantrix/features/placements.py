"""Compute the action features of Strategy and Solitaire: play each placement on a copy of the table and go on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.state import Record, States
from ..material import TILES
from ..scripted import prepare
from ..state import Mode
from . import solitaire, strategy
from .table import SIZE, describe_table, note_unseen


class Room(NamedTuple):
    """The arrays that `describe_legal` works in."""

    tables: States  # (3,): the table without the bag, after the placement, and after the next tile
    unseen: npt.NDArray[np.int8]  # (TILES,): see `note_unseen`
    mask: npt.NDArray[np.int8]  # (actions,)
    work: npt.NDArray[np.void]  # (1,): that of the scripted agent


class Placements:
    """The features of one mode, see `core.game.Features`."""

    def __init__(self, size: int) -> None:
        self.FEATURES, self.TABLE, self.describe_legal = size, SIZE, describe_legal

    def prepare(self, game: Game) -> Room:
        """Return the arrays that `describe_legal` works in. Each thread needs its own."""
        return Room(game.blanks(3), np.zeros(TILES, np.int8), np.zeros(game.actions.size, np.int8), prepare(game))


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number.

    Each placement is played on the second table of `room`.
    """
    describe_table(known, table)
    note_unseen(known, room.unseen)
    tables, n = room.tables, 0
    tables[0] = known
    _forget(tables[0])
    for action in range(len(mask)):
        if mask[action] == 1:
            tables[1] = tables[0]
            if known.opt.mode == Mode.SOLITAIRE:
                solitaire.describe_placement(tables, action, room.unseen, room.mask, room.work[0], features[n])
            else:
                strategy.describe_placement(tables[1], action, room.mask, room.work[0], features[n])
            n += 1
    return n


@kernel
def _forget(s: Record) -> None:
    """Empty the bag, because tiles to come are unknown, and reset the count of actions, so that no limit applies."""
    for i in range(TILES):
        s.bag[i] = 0
    s.plies = 0
