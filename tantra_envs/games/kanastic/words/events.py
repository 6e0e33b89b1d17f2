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
from ..actions import DISCARD
from ..material import ARTIFACT, CANASTA, COMPLETE_SUIT, HAND_KINDS, RANKS, SWORD
from ..melds import aside, has_canasta, size_of, suit_length, team_of

EVENT = record(
    [
        ("opened", np.int8),  # 1 = it opened the team
        ("canastas", np.int8, (RANKS,)),  # 1 = it completed a canasta of this rank
        ("first", np.int8),  # 1 = the first canasta of the team
        ("suit", np.int8),  # 1 = it completed the golden suit
        ("pots", np.int8),  # Treasure Pots that the team laid out
        ("stack", np.int8),  # cards of the old stack that went to the hand with the discard [KN-54]
        ("blocks", np.int8),  # 1 = the discard blocks the stack for the others [KN-50]
        ("ended", np.int8),  # 1 = it ended the round
        ("out", np.int8),  # 1 = by going out
        ("doubled", np.int8),  # 1 = with a wild card, which doubles all scores [KN-62]
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
        _formed(before[i], after[i], events[i])
        _discarded(before[i], int(actions[i]) - DISCARD, after[i], events[i])


@kernel
def _formed(was: Record, s: Record, event: Any) -> None:
    """Fill in what the team of the seat to decide has on the table now and had not before."""
    team = team_of(was, int(was.seat))
    event.opened = s.opened[team] > was.opened[team]
    event.suit = suit_length(was, team) < COMPLETE_SUIT <= suit_length(s, team)
    event.pots = max(0, int(s.pots[team]) - int(was.pots[team]))
    for r in range(RANKS):
        event.canastas[r] = size_of(was, team, r) < CANASTA <= size_of(s, team, r)
    event.first = has_canasta(s, team) and not has_canasta(was, team)


@kernel
def _discarded(was: Record, kind: int, s: Record, event: Any) -> None:
    """Fill in the effect of a discard, and the end of a round; `kind` is outside the cards for another action."""
    if 0 <= kind < HAND_KINDS:
        event.stack = was.pile_n if aside(was) else 0
        event.blocks = kind >= SWORD
    event.ended = s.round_no > was.round_no
    event.out = event.ended == 1 and s.last_out >= 0
    event.doubled = event.out == 1 and SWORD <= kind <= ARTIFACT
