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
from .actions import KIND, LAY_OFF, PLACE, RUN
from .building import begin_lay_down, begin_lay_off, build, look_at_build
from .material import (
    DISPLAYS,
    JOKER,
    KINDS,
    MAX_SETS,
    NATURALS,
    PLACES,
    POINTS,
    RANKS,
    SETS,
    SIZES,
    SUITS,
    TYPES,
    WILD,
)
from .sets import card_at, end_takes_any, fits_end, fits_kind, sets_on_card
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


# About cards


@kernel
def friends(s: Any, card: int) -> float:
    """Cards of the hand with which a card of it may stand in a set."""
    if card >= NATURALS:
        return 0.0
    display, found = int(s.display), 0.0
    rank, suit = card % RANKS, card // RANKS
    if KINDS[display] > 0:
        for other in range(SUITS):
            found += s.hands[0, other * RANKS + rank]
        found -= 1.0
    if KINDS[display] < SETS[display]:
        for away in (-2, -1, 1, 2):
            place = rank + 1 + away
            if place == 0:
                place = RANKS  # beside an ace lies the king too
            if 1 <= place <= PLACES and s.hands[0, card_at(suit, place)] > 0:
                found += 1.0
    return found


@kernel
def points(s: Any, card: int) -> int:
    """Of a card that is left in a hand."""
    return int(POINTS[s.opt.card_points, card % RANKS if card < NATURALS else RANKS + card - JOKER])


@kernel
def fits_table(s: Any, card: int) -> bool:
    """Could a card be laid off by itself?"""
    s.hands[0, card] += 1
    s.hand_n[0] += 2
    fits = False
    for seat in range(s.seats):
        if s.laid_turn[seat] >= 0:
            for slot in range(sets_on_card(s)):
                fits = fits or _fits_set(s, s.sets[seat * MAX_SETS + slot], card)
    s.hands[0, card] -= 1
    s.hand_n[0] -= 2
    return fits


@kernel
def _fits_set(s: Any, lies: Any, card: int) -> bool:
    if lies.kind == SetType.KIND:
        return fits_kind(s, lies, card)
    if lies.kind == SetType.NONE or lies.size == 0:
        return False
    up = fits_end(s, lies, card, lies.hi + 1, 1, False, False)
    return up or fits_end(s, lies, card, lies.lo - 1, -1, False, False)


@kernel
def laid_down(s: Any) -> int:
    """How many others have laid down."""
    count = 0
    for seat in range(1, s.seats):
        count += s.laid_turn[seat] >= 0
    return count


# Laying down and off


@kernel
def left_after(s: Any) -> int:
    """Cards left of the hand after laying down and off all one can; the table is used up by it."""
    for card in range(TYPES):
        s.tabled[card] = 0  # read by nobody here, but it would grow from hand to hand
    begin_lay_down(s)
    while s.phase in (Phase.TEMPLATE, Phase.PLACE):
        look_at_build(s)
        build(s, next_step(s, s.build_mask))
        while s.phase == Phase.MAIN and s.hand_n[0] > 1 and _begin_any_lay_off(s):
            pass
    return int(s.hand_n[0])


@kernel
def _begin_any_lay_off(s: Any) -> bool:
    for i in range(s.seats * MAX_SETS):
        for way in (-1, 1):
            lies = s.sets[i]
            if s.phase == Phase.MAIN and lies.kind != SetType.NONE and end_takes_any(s, lies, way):
                begin_lay_off(s, i // MAX_SETS, i % MAX_SETS, way)
    return bool(s.phase == Phase.PLACE)


@kernel
def next_step(s: Any, mask: Any) -> int:
    """The template with the most natural cards; natural cards first, then WILD, then JOKER."""
    chosen, most = -1, -1
    for action in range(KIND, LAY_OFF):
        if mask[action] == 1:
            value = naturals_in(s, action) if action < PLACE else NATURALS + WILD - action + PLACE
            if action >= PLACE:
                card = action - PLACE
                value = 2 if card < NATURALS else 1 if card == WILD else 0
            if value > most:
                chosen, most = action, value
    return chosen


@kernel
def naturals_in(s: Any, template: int) -> int:
    """Natural cards of the hand in a template."""
    found = 0
    if template < RUN:
        for suit in range(SUITS):
            found += s.hands[0, suit * RANKS + template - KIND]
        return found
    suit, first = (template - RUN) // RANKS, (template - RUN) % RANKS + 1
    for place in range(first, min(PLACES, first + 4) + 1):
        found += s.hands[0, card_at(suit, place)] > 0
    return found
