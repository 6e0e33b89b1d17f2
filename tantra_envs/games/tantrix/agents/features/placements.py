"""Compute the action features of Strategy and Solitaire: play each placement on a copy of the table and go on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .....core.blocks import Blocks
from .....core.compiled.jit import kernel
from .....core.game import Game
from .....core.state import Record, States
from ...material import HAND, TILES
from ...state import Mode
from . import solitaire, strategy
from .border import BORDER, copy_border, read_border, take_up
from .sets import set_of, sets_by_code
from .table import OF_TABLE, describe_table


class Room(NamedTuple):
    """The arrays that `describe_legal` works in."""

    tables: States  # (3,): the table without the bag, after the placement, and after the next tile
    borders: npt.NDArray[np.void]  # (3,): BORDER of these tables


class Placements:
    """The features of one mode, see `core.features.Describing`."""

    def __init__(self, of_action: Blocks) -> None:
        self.OF_ACTION, self.OF_TABLE, self.describe_legal = of_action, OF_TABLE, describe_legal

    def prepare(self, game: Game) -> Room:
        """Return the arrays that `describe_legal` works in. Each thread needs its own."""
        borders = np.zeros(3, BORDER)
        borders["sets"] = sets_by_code()
        return Room(game.blanks(3), borders)


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number."""
    describe_table(known, table)
    unseen, n, tables = set_of(known.bag), 0, room.tables
    tables[0] = known
    _forget(tables[0])
    if known.opt.mode == Mode.STRATEGY:
        return _describe_strategy(known, mask, unseen, tables[0], room.borders[0], room.borders[1], features)
    for action in range(len(mask)):
        if mask[action] == 1:
            tables[1] = tables[0]
            solitaire.describe_placement(tables, action, unseen, features[n])
            n += 1
    return n


@kernel
def _describe_strategy(known: Record, mask: Any, unseen: int, s: Any, before: Any, b: Any, features: Any) -> int:
    """Describe the placements of Strategy."""
    n = 0
    before.playing = 0
    for seat in range(known.seats):
        before.playing |= 1 << int(known.colours[seat])
    read_border(known, unseen, before)
    for i in range(len(b.grid)):
        b.grid[i] = before.grid[i]
    for i in range(len(b.turns)):
        b.turns[i] = before.turns[i]
    for action in range(len(mask)):
        if mask[action] == 1:
            copy_border(before, b)
            strategy.describe_placement(s, b, action, unseen, features[n])
            take_up(b, before)
            _restore(s, known)
            n += 1
    return n


@kernel
def _restore(s: Any, known: Record) -> None:
    """Restore the table after tiles were placed on its border."""
    for i in range(len(s.lines)):
        s.lines[i] = known.lines[i]
    for seat in range(known.seats):
        for slot in range(HAND):
            s.hands[seat, slot] = known.hands[seat, slot]
    for i in range(len(s.best)):
        s.best[i] = known.best[i]
    for i in range(len(s.box)):
        s.box[i] = known.box[i]
    s.seat, s.phase, s.bag_n, s.placed = known.seat, known.phase, known.bag_n, known.placed
    s.over, s.deadlock = known.over, known.deadlock


@kernel
def _forget(s: Record) -> None:
    """Empty the bag, because tiles to come are unknown, and reset the count of actions, so that no limit applies."""
    for i in range(TILES):
        s.bag[i] = 0
    s.plies = 0
