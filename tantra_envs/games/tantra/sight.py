"""What a seat of Tantra sees, set up on a table that only it plays with, where questions can be asked.

The own hand, the sets on the table and who has laid down are laid out from the view; the seat itself is seat 0 there.
What lies where nobody asks is left as it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...core.compiled.jit import kernel
from ...core.game import Game
from .material import DISPLAYS, KINDS, MAX_SETS, PLACES, SIZES, SUITS, TYPES
from .state import Phase, Role, SetType
from .view import PLAYER, SET_SIZE
from .view_fields import (
    BUYS_USED,
    CARDS,
    CONTRACT_SET,
    FIRST_PLACE,
    HIGH_FREE,
    IS_KIND,
    IS_RUN,
    LAID_DOWN,
    LAST_PLACE,
    LOW_FREE,
    RANK,
    SIZE,
    SUIT,
    TURNS_DONE,
)

# Blocks of the view, by their place in the table of starts.
BLOCKS = ("hand", "top", "next", "players", "sets", "contract", "phase", "counters")
HAND, TOP, NEXT, SEATS, TABLED, CONTRACT, PHASE, COUNTERS = range(len(BLOCKS))


def starts(game: Game) -> npt.NDArray[np.int64]:
    """Where the blocks begin in a view."""
    return np.array([game.view[name].start for name in BLOCKS], np.int64)


@kernel
def set_up(s: Any, at: Any, view: Any) -> None:
    """The own hand, the sets on the table, and who has laid down."""
    s.turn = 0
    s.phase = lit(view, at[PHASE], Phase.OVER)
    s.turns = int(view[at[COUNTERS] + TURNS_DONE])
    if not _asks_for(view, at[CONTRACT], int(s.display)):
        s.display = _display(view, at[CONTRACT])
    s.hand_n[0] = 0
    for card in range(TYPES):
        s.hands[0, card] = int(view[at[HAND] + card])
        s.hand_n[0] += s.hands[0, card]
        s.tabled[card] = 0
    s.buys_used[0] = int(view[at[SEATS] + BUYS_USED])
    for seat in range(s.seats):
        s.laid_turn[seat] = 0 if view[at[SEATS] + PLAYER * seat + LAID_DOWN] > 0 else -1
    if s.phase == Phase.MAIN or s.laid_turn[0] >= 0:  # else nobody asks what can be laid off
        _set_up_sets(s, view, at[TABLED])


@kernel
def _set_up_sets(s: Any, view: Any, first: int) -> None:
    """What lies on the table, and nothing where nothing lies any more."""
    for seat in range(s.seats):
        for i in range(seat * MAX_SETS, (seat + 1) * MAX_SETS):
            if s.laid_turn[seat] >= 0 or s.sets[i].kind != SetType.NONE:
                _set_up_set(s.sets[i], view, first + SET_SIZE * i)


@kernel
def _display(view: Any, contract: int) -> int:
    """The number of the Display Card: no two ask for the same sets."""
    for display in range(1, DISPLAYS):
        if _asks_for(view, contract, display):
            return display
    return DISPLAYS


@kernel
def _asks_for(view: Any, contract: int, display: int) -> bool:
    """Does the Display Card ask for the sets that are seen?"""
    kinds, same = int(KINDS[display]), True
    for slot in range(MAX_SETS):
        same = same and view[contract + CONTRACT_SET * slot + CARDS] == SIZES[display, slot]
        same = same and (view[contract + CONTRACT_SET * slot + IS_KIND] > 0) == (slot < kinds)
    return same


@kernel
def _set_up_set(lies: Any, view: Any, at: int) -> None:
    """A set as far as it is seen: of a run, where it ends and whether the end cards may be paired."""
    lies.kind = SetType.KIND if view[at + IS_KIND] > 0 else SetType.RUN if view[at + IS_RUN] > 0 else SetType.NONE
    lies.rank = int(view[at + RANK]) - 1
    lies.suit = lit(view, at + SUIT, SUITS) % SUITS
    lies.lo = int(view[at + FIRST_PLACE])
    lies.hi = int(view[at + LAST_PLACE])
    lies.size = int(view[at + SIZE])
    for i in range(PLACES):
        lies.fill[i] = Role.JOKER
    if lies.kind == SetType.RUN and lies.size > 0:
        lies.fill[lies.lo - 1] = Role.NATURAL if view[at + LOW_FREE] > 0 else Role.JOKER
        lies.fill[lies.hi - 1] = Role.NATURAL if view[at + HIGH_FREE] > 0 else Role.JOKER


@kernel
def lit(view: Any, first: int, size: int) -> int:
    """The index a one-hot block shows, its size if it shows none."""
    index = 0
    while index < size and view[first + index] == 0:
        index += 1
    return index
