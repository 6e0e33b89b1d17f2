"""Compute the action features of Strategy and Solitaire: play each placement, go on, and take the tiles up again."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .....core.blocks import Blocks
from .....core.compiled.jit import kernel
from .....core.game import Game
from .....core.state import Record, States
from ...material import HAND
from ...state import Mode
from . import solitaire, strategy
from .border import BORDER, copy_border, read_border, take_up
from .sets import set_of, sets_by_code
from .table import OF_TABLE, describe_table


class Room(NamedTuple):
    """The arrays that `describe_legal` works in."""

    tables: States  # (1,): the table on which tiles are placed and taken up again
    borders: npt.NDArray[np.void]  # (3,): BORDER of this table, and copies of before and after the placement


class Placements:
    """The features of one mode, see `core.features.Describing`."""

    def __init__(self, of_action: Blocks) -> None:
        self.OF_ACTION, self.OF_TABLE, self.describe_legal = of_action, OF_TABLE, describe_legal

    def prepare(self, game: Game) -> Room:
        """Return the arrays that `describe_legal` works in. Each thread needs its own."""
        borders = np.zeros(3, BORDER)
        borders["sets"][0] = sets_by_code()
        return Room(game.blanks(1), borders)


@kernel
def describe_legal(known: Record, mask: Any, room: Any, features: Any, table: Any) -> int:
    """Fill in the features of a table and of its legal actions, ascending, which are zeros; return their number."""
    describe_table(known, table)
    unseen, n, s, b, before = set_of(known.bag), 0, room.tables[0], room.borders[0], room.borders[1]
    room.tables[0] = known
    b.playing = _playing(known)
    read_border(known, unseen, b)
    copy_border(b, before)
    for action in range(len(mask)):
        if mask[action] == 1:
            if known.opt.mode == Mode.SOLITAIRE:
                solitaire.describe_placement(s, b, room.borders[2], action, unseen, features[n])
            else:
                strategy.describe_placement(s, b, action, unseen, features[n])
            take_up(b, before)
            copy_border(before, b)
            _restore(s, known)
            n += 1
    return n


@kernel
def _playing(known: Record) -> int:
    """Return a bit for each colour whose lines matter."""
    if known.opt.mode == Mode.SOLITAIRE:
        return solitaire.counted(known)
    colours = 0
    for seat in range(known.seats):
        colours |= 1 << int(known.colours[seat])
    return colours


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
