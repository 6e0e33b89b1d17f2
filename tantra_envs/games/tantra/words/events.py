"""Facts about one action, from the tables before and after it. Sentences and measures share them.

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
from ..actions import ALLOW, BUY, DISCARD, ENDS, KIND, LAY_OFF, TAKE_DISCARD
from ..material import MAX_SETS, TYPES
from ..state import Mode, Phase

EVENT = record(
    [
        ("taker", np.int8),  # seat that got the discard, -1 = nobody
        ("bought", np.int8),  # 1 = it bought it, 0 = it took it in turn
        ("owner", np.int8),  # seat to whose set cards were added, -1 = it was no laying off
        ("placed", np.int8, (TYPES,)),  # cards that came to the table, also those that came because of no choice
    ]
)


def events(before: States, actions: npt.ArrayLike, after: States) -> Array:
    """Return what each of k actions did as a record of EVENT, shape (k,)."""
    found = np.zeros(len(before), EVENT)
    _event_rows(before, np.full(len(before), actions, np.int64), after, found)
    return found


@seldom
def _event_rows(before: Any, actions: Any, after: Any, events: Any) -> None:
    for i in range(len(events)):
        events[i].taker = -1
        events[i].owner = -1
        _take(before[i], int(actions[i]), events[i])
        _lay(before[i], int(actions[i]), after[i], events[i])


@kernel
def _take(was: Record, action: int, event: Any) -> None:
    """Fill in the seat that got the discard [R-43, R-44, R-47]."""
    event.bought = action == ALLOW or (action == BUY and was.declined == 1)
    if action == TAKE_DISCARD:
        event.taker = was.turn
    elif event.bought == 1:
        event.taker = was.requester if action == ALLOW else was.seat


@kernel
def _lay(was: Record, action: int, s: Record, event: Any) -> None:
    """Fill in the cards that were laid down or off; a discard may clear the table for the next round."""
    if was.phase < Phase.MAIN or DISCARD <= action < KIND:
        return
    for card in range(TYPES):
        event.placed[card] = s.tabled[card] - was.tabled[card]
    if was.mode == Mode.LAYING_OFF:
        event.owner = was.target
    elif action >= LAY_OFF:
        event.owner = (was.turn + (action - LAY_OFF) // (ENDS * MAX_SETS)) % was.seats
