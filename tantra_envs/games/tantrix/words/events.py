"""Facts about one action, from the tables before and after it. Sentences, drawings and measures share them.

They follow from what all seats see: a concealed table has the same events as the whole table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.compiled.starting import seldom
from ....core.fields import Array
from ....core.state import Record, States, record
from ..board.hexes import FORCED, find
from ..material import MAX_SEATS, TILES
from ..state import Mode

EVENT = record(
    [
        ("cell", np.int16),  # cell of the tile that was laid
        ("tile", np.int8),  # this tile, 0 = none was laid
        ("fills", np.int8),  # 1 = it filled a gobble
        ("gained", np.int16, (MAX_SEATS,)),  # Strategy: points that the colour of each seat gained
    ]
)


def events(before: States, actions: npt.ArrayLike, after: States) -> Array:
    """Return what each of k actions did as a record of EVENT, shape (k,)."""
    found = np.zeros(len(before), EVENT)
    _event_rows(before, after, found)
    return found


@seldom
def _event_rows(before: Any, after: Any, events: Any) -> None:
    for i in range(len(events)):
        _fill(before[i], after[i], events[i])


@kernel
def _fill(was: Record, s: Record, event: Any) -> None:
    """Fill in one event. At most one tile comes to the table."""
    for tile in range(1, TILES + 1):
        if was.cell[tile] == 0 and s.cell[tile] != 0:
            event.tile = tile
            event.cell = s.cell[tile]
    mode = int(was.opt.mode)
    if event.tile > 0 and mode in (Mode.STRATEGY, Mode.GOBBLE):
        event.fills = was.touch[find(was, int(event.cell))] >= FORCED
    for seat in range(was.seats if mode == Mode.STRATEGY else 0):
        event.gained[seat] = s.best[was.colours[seat]] - was.best[was.colours[seat]]
