"""Facts about one action, from the tables before and after it. Words, drawings and measures share them.

They follow from what all seats see: a concealed table has the same events as the whole table.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.compiled.starting import seldom
from ....core.fields import Array
from ....core.state import Record, States, record
from ..cards import winning_place
from ..material import FOOL, MAX_SEATS
from ..state import Phase
from ..tricks import kings_cut, trick_points


class Source(IntEnum):
    """The sources of points in a hand."""

    SHOWN = 0
    CALLED = 1
    TRICKS = 2
    KINGS = 3
    FOOL = 4


EVENT = record(
    [
        ("points", np.int16, (len(Source), MAX_SEATS)),  # points made, by source and seat
        ("trick", np.int8, (MAX_SEATS,)),  # cards of the trick that ended, in order of play
        ("winner", np.int8),  # seat that took it, -1 = no trick ended
    ]
)


def events(before: States, actions: npt.ArrayLike, after: States) -> Array:
    """Return what each of k actions did as a record of EVENT, shape (k,). A hidden action is -1."""
    found = np.zeros(len(before), EVENT)
    _event_rows(before.copy(), np.full(len(before), actions, np.int64), after, found)
    return found


@seldom
def _event_rows(before: Any, actions: Any, after: Any, events: Any) -> None:
    for i in range(len(events)):
        events[i].winner = -1
        if before[i].phase == Phase.PLAY:
            _play(before[i], int(actions[i]), events[i])
        else:
            _reckon(before[i], after[i], events[i].points)


@kernel
def _reckon(was: Record, s: Record, points: Any) -> None:
    """Fill in the points before the play: those of a caller are for the call [T-45], all others are shown."""
    for seat in range(was.seats):
        calls = was.phase == Phase.CALL and seat == was.seat
        points[Source.CALLED if calls else Source.SHOWN, seat] = s.points[seat] - was.points[seat]


@kernel
def _play(s: Record, card: int, event: Any) -> None:
    """Play a card to the trick of `s`, and fill in its points [T-50, T-61, T-62].

    The table after the action is no help: the last trick also deals the next hand.
    """
    if card == FOOL:
        event.points[Source.FOOL, s.seat] = s.opt.fool_points
    s.trick[s.trick_n] = card
    s.trick_n += 1
    if s.trick_n < s.seats:
        return
    place = winning_place(s)
    winner = (s.leader + place) % s.seats
    event.winner = winner
    event.points[Source.TRICKS, winner] = trick_points(s)
    event.points[Source.KINGS, winner] = kings_cut(s, int(s.trick[place]))
    for i in range(s.seats):
        event.trick[i] = s.trick[i]


def came(before: Any, after: Any, seat: int) -> list[int]:
    """Return the cards that came to the hand of a seat, as far as the reader of these records sees them there."""
    cards: list[int] = np.flatnonzero((after["loc"] == seat) & (before["loc"] != seat)).tolist()
    return cards
