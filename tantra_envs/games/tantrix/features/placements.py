"""Compute the action features of Strategy and Solitaire: play each placement on a copy of the table and go on."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....core.compiled.jit import entry_point, kernel
from ....core.game import Game
from ....core.state import Record, States
from ..material import TILES
from ..scripted import prepare
from ..state import Mode
from . import solitaire, strategy
from .table import SIZE, Floats, Rows, describe_table, legal_rows, unseen_tiles


class Placements:
    """The features of one mode, see `core.game.Features`."""

    def __init__(self, size: int) -> None:
        self.FEATURES, self.TABLE = size, SIZE

    def describe(self, game: Game, known: States) -> tuple[Rows, Rows, Floats, Floats]:
        """Describe all legal placements at concealed tables (k,).

        Returns:
            The tables and the ids of the n actions, (n,) each; the action features, (n, FEATURES); the features of the
            tables, (k, TABLE).
        """
        rows, actions = legal_rows(game, known)
        features, table = np.zeros((len(rows), self.FEATURES), np.float32), np.zeros((len(known), SIZE), np.float32)
        room, mask, work = game.blanks(3), np.zeros(game.actions.size, np.int8), prepare(game)
        _describe(known, unseen_tiles(known), room, mask, work, rows, actions, features, table)
        return rows, actions, features, table


@entry_point
def _describe(
    known: Any, unseen: Any, room: Any, mask: Any, work: Any, rows: Any, actions: Any, features: Any, table: Any
) -> None:
    """Fill in the features; the actions are sorted by table. Play each placement on the second table of `room`."""
    n = 0
    for k in range(len(known)):
        describe_table(known[k], table[k])
        room[0] = known[k]
        _forget(room[0])
        while n < len(rows) and rows[n] == k:
            room[1] = room[0]
            if known[k].opt.mode == Mode.SOLITAIRE:
                solitaire.describe_placement(room, int(actions[n]), unseen[k], mask, work[0], features[n])
            else:
                strategy.describe_placement(room[1], int(actions[n]), mask, work[0], features[n])
            n += 1


@kernel
def _forget(s: Record) -> None:
    """Empty the bag, because tiles to come are unknown, and reset the count of actions, so that no limit applies."""
    for i in range(TILES):
        s.bag[i] = 0
    s.plies = 0
