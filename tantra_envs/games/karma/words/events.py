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
from ..actions import FLIP, PICKUP
from ..material import TYPES
from ..queries import action_base, completes_set, fits, run_with
from ..state import Phase

EVENT = record(
    [
        ("card", np.int8),  # type that was laid on the pile or turned over, -1 = none
        ("count", np.int8),  # cards of this type that were laid; 0 = the one turned over did not fit
        ("cleared", np.int16),  # cards of the pile that left the game with a set, 0 = no set
        ("taker", np.int8),  # seat that took the pile, -1 = nobody
        ("taken", np.int16),  # cards that it took
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
        _fill(before[i], int(actions[i]), after[i], events[i])


@seldom
def completes_set_rows(states: Any, cleared: Any) -> None:
    """Fill in whether each play clears the pile, legal or not, shape (n, cards); the option `clear_set` is common."""
    for i in range(len(states)):
        for action in range(cleared.shape[1]):
            card = action % TYPES
            cleared[i, action] = completes_set(states[i], card, run_with(states[i], card, action // TYPES + 1))


@kernel
def _fill(was: Record, action: int, s: Record, event: Any) -> None:
    """Fill in one event."""
    event.card = -1
    event.taker = -1
    if was.phase == Phase.SETUP:
        return
    choice = action - action_base(was)
    if choice < 0:
        event.card = action % TYPES
        event.count = action // TYPES + 1
    elif choice == FLIP:
        event.card = _turned(was, s)
        event.count = fits(was, int(event.card))
    card, count = int(event.card), int(event.count)
    if count > 0 and completes_set(was, card, run_with(was, card, count)):
        event.cleared = was.pile_n + count
    failed = card >= 0 and count == 0
    event.taker = was.seat if choice == PICKUP or failed else _receiver(was, s)
    event.taken = was.pile_n + failed if event.taker >= 0 else 0  # the card that does not fit goes along [K-33]


@kernel
def _turned(was: Record, s: Record) -> int:
    """Return the card that was turned over: all see one more of it on the pile, out of the game or in the hand."""
    card = 0
    while _public(s, was.seat, card) <= _public(was, was.seat, card):
        card += 1
    return card


@kernel
def _public(s: Record, seat: int, card: int) -> int:
    return int(s.piled[card]) + int(s.gone[card]) + int(s.known[seat, card])


@kernel
def _receiver(was: Record, s: Record) -> int:
    """Return the seat that was given the pile: nothing else makes a hand grow in another player's turn [K-60]."""
    for seat in range(was.seats):
        if seat != was.seat and s.hand_n[seat] > was.hand_n[seat]:
            return seat
    return -1
