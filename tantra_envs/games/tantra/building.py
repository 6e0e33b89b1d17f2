"""[Laying Down] and [Laying Off]: set by set, card by card, never into a dead end (D-1).

The phases TEMPLATE and PLACE. Their legal actions need a search, so they are kept in `s.build_mask`.
"""

from __future__ import annotations

from typing import Any

from ...core.jit import kernel
from ...core.state import Record
from .actions import KIND, LAY_OFF, PLACE, RUN
from .material import IDENTICAL, JOKER, MAX_SETS, NATURALS, NO_JOKERS, PLACES, RANKS, SUITS, TYPES, WILD
from .search import can_finish_kind, can_finish_run
from .sets import (
    card_at,
    fits_end,
    fits_kind,
    has_flag,
    high_end_free,
    is_kind_slot,
    low_end_free,
    same_shape,
    sets_on_card,
    size_of,
)
from .state import (
    A_KIND,
    A_RUN,
    BY_JOKER,
    BY_SUIT,
    BY_WILD,
    KIND_JOKER,
    KIND_WILD,
    LAYING_DOWN,
    LAYING_OFF,
    LOWER_MATE,
    MAIN,
    NATURAL,
    NOT_BUILDING,
    PLACE_CARD,
    TEMPLATE,
    UPPER_MATE,
)
from .table import go_to, lose


@kernel
def begin_lay_down(s: Record) -> None:
    """[R-28]"""
    s.laid_turn[s.turn] = s.turns
    s.can_lay = 0
    s.mode = LAYING_DOWN
    s.slot = 0
    s.target = s.turn
    go_to(s, TEMPLATE)


@kernel
def begin_lay_off(s: Record, owner: int, slot: int, way: int) -> None:
    """[R-31]"""
    lies = s.sets[owner * MAX_SETS + slot]
    s.mode = LAYING_OFF
    s.slot = slot
    s.target = owner
    s.rest = 1
    if lies.kind == A_RUN:
        s.direction = way
        s.place = lies.hi + 1 if way > 0 else lies.lo - 1
        s.free = high_end_free(lies) if way > 0 else low_end_free(lies)
    go_to(s, PLACE_CARD)


@kernel
def build(s: Record, action: int) -> None:
    """A template, or the next card."""
    if s.phase == TEMPLATE:
        choose_template(s, action)
    else:
        place_card(s, action - PLACE)


@kernel
def play_forced(s: Record) -> None:
    """Play templates and places on while there is one choice [D-2], or all places of a lay-down [D-7]."""
    while s.phase in (TEMPLATE, PLACE_CARD):
        look_at_build(s)
        choices, only = 0, -1
        for a in range(KIND, LAY_OFF):
            if s.build_mask[a]:
                choices += 1
                only = a
        fills = s.opt.fill_mode == 1 and s.mode == LAYING_DOWN and s.phase == PLACE_CARD
        if fills:
            only = PLACE + _plainest(s)
        elif choices > 1 or s.opt.auto_forced == 0:
            return
        if s.phase == TEMPLATE:
            choose_template(s, only)
        else:
            place_card(s, only - PLACE)


@kernel
def _plainest(s: Record) -> int:
    """Natural cards first, then pairs with a lower mate, with an upper one, then WILD and JOKER [D-7]."""
    if not is_kind_slot(s, int(s.slot)):
        suit = int(s.sets[s.target * MAX_SETS + s.slot].suit)
        for away in (0, -1, 1):
            place = s.place + away
            if 1 <= place <= PLACES and s.build_mask[PLACE + card_at(suit, place)]:
                return card_at(suit, place)
    for card in range(NATURALS):
        if s.build_mask[PLACE + card]:
            return card
    return WILD if s.build_mask[PLACE + WILD] else JOKER


@kernel
def look_at_build(s: Record) -> None:
    """Work out the legal actions of TEMPLATE and PLACE."""
    for a in range(KIND, LAY_OFF):
        s.build_mask[a] = 0
    if s.phase == TEMPLATE:
        _template_legal(s)
    elif s.mode == LAYING_OFF:
        _place_off_legal(s)
    elif is_kind_slot(s, int(s.slot)):
        _place_in_kind_legal(s)
    else:
        _place_in_run_legal(s)


# TEMPLATE: what the next set is


@kernel
def _template_legal(s: Record) -> None:
    """Every rank, or suit and start, with which this set and all later ones can be filled."""
    slot = int(s.slot)
    size = size_of(s, slot)
    if is_kind_slot(s, slot):
        for rank in range(lowest_template(s), RANKS):
            s.build_mask[KIND + rank] = can_finish_kind(s, slot, rank, size, 0, 0, -1)
    else:
        for template in range(lowest_template(s), NATURALS):
            if template % RANKS + size <= PLACES:
                s.build_mask[RUN + template] = can_finish_run(s, slot, template, 0, False, False, 0, -1)


@kernel
def lowest_template(s: Record) -> int:
    """Sets of equal type and size come in ascending order [D-5]."""
    if s.slot == 0 or not same_shape(s, int(s.slot)):
        return 0
    before = s.sets[s.turn * MAX_SETS + s.slot - 1]
    return int(before.rank) if before.kind == A_KIND else before.suit * RANKS + before.lo - 1


@kernel
def choose_template(s: Record, action: int) -> None:
    """Name the rank of the kind, or suit and first place of the run, that comes next."""
    lies = s.sets[s.turn * MAX_SETS + s.slot]
    if action < RUN:
        lies.kind = A_KIND
        lies.rank = action - KIND
    else:
        lies.kind = A_RUN
        lies.suit = (action - RUN) // RANKS
        lies.lo = (action - RUN) % RANKS + 1
        lies.hi = lies.lo - 1
        s.place = lies.lo
    s.rest = size_of(s, int(s.slot))
    go_to(s, PLACE_CARD)


# PLACE in a set that is laid down


@kernel
def _place_in_kind_legal(s: Record) -> None:
    """Suits ascending, then WILD, then JOKER [D-6]."""
    slot, rest, naturals = int(s.slot), int(s.rest) - 1, int(s.naturals)
    hand = s.hands[s.turn]
    rank = int(s.sets[s.turn * MAX_SETS + slot].rank)
    for suit in range(s.first_class, SUITS):
        card = suit * RANKS + rank
        if hand[card] > 0:
            s.build_mask[PLACE + card] = can_finish_kind(s, slot, rank, rest, suit, naturals + 1, card)
    if hand[WILD] > 0 and s.first_class <= KIND_WILD:
        s.build_mask[PLACE + WILD] = can_finish_kind(s, slot, rank, rest, SUITS, naturals, WILD)
    if hand[JOKER] > rest and not has_flag(s, NO_JOKERS):
        s.build_mask[PLACE + JOKER] = can_finish_kind(s, slot, rank, rest, SUITS, naturals, JOKER)


@kernel
def _place_in_run_legal(s: Record) -> None:
    """Natural, duplicate of a neighbour, WILD, JOKER [R-16, R-23]."""
    slot = int(s.slot)
    suit = int(s.sets[s.turn * MAX_SETS + slot].suit)
    placed, size = size_of(s, slot) - s.rest, size_of(s, slot)
    _try_in_run(s, card_at(suit, int(s.place)))
    if s.must:
        return
    if 0 < placed < size - 1 and has_flag(s, IDENTICAL):
        if s.free:
            _try_in_run(s, card_at(suit, s.place - 1))
        if s.hands[s.turn, card_at(suit, s.place + 1)] > 1:
            _try_in_run(s, card_at(suit, s.place + 1))
    _try_in_run(s, WILD)
    if not has_flag(s, NO_JOKERS):
        _try_in_run(s, JOKER)


@kernel
def _try_in_run(s: Record, card: int) -> None:
    """Allow a card held for the next place, if all sets can be finished after it."""
    if s.hands[s.turn, card] == 0:
        return
    slot = int(s.slot)
    lies = s.sets[s.turn * MAX_SETS + slot]
    template = lies.suit * RANKS + lies.lo - 1
    role = role_of(s, card)
    placed = size_of(s, slot) - s.rest + 1
    free = role == NATURAL and s.must == 0
    naturals = s.naturals + (card < NATURALS)
    s.build_mask[PLACE + card] = can_finish_run(s, slot, template, placed, free, role == UPPER_MATE, naturals, card)


@kernel
def role_of(s: Record, card: int) -> int:
    """What a card is in the next place of the run being built [R-23]."""
    if card >= NATURALS:
        return BY_JOKER if card == JOKER else BY_WILD
    suit = int(s.sets[s.target * MAX_SETS + s.slot].suit)
    if card == card_at(suit, int(s.place)):
        return NATURAL
    return LOWER_MATE if card == card_at(suit, s.place - 1) else UPPER_MATE


# PLACE in a set that is laid off on, and what placing does


@kernel
def _place_off_legal(s: Record) -> None:
    """[R-32, R-33]"""
    lies = s.sets[s.target * MAX_SETS + s.slot]
    for card in range(TYPES):
        if lies.kind == A_KIND:
            s.build_mask[PLACE + card] = fits_kind(s, lies, card)
        elif s.hands[s.turn, card] > 0:
            fits = fits_end(s, lies, card, int(s.place), int(s.direction), s.free == 1, s.must == 1)
            s.build_mask[PLACE + card] = fits


@kernel
def place_card(s: Record, card: int) -> None:
    """The next card of the set being built leaves the hand for the table [R-21]."""
    lies = s.sets[s.target * MAX_SETS + s.slot]
    lose(s, int(s.turn), card)
    s.tabled[card] += 1
    lies.size += 1
    if lies.kind == A_KIND:
        s.first_class = card // RANKS if card < NATURALS else KIND_WILD if card == WILD else KIND_JOKER
        lies.fill[s.first_class] += 1
        s.rest -= 1
    else:
        _place_in_run(s, lies, card)
    s.naturals += card < NATURALS
    if s.rest == 0:
        _end_set(s)


@kernel
def _place_in_run(s: Record, lies: Any, card: int) -> None:
    """A lay-off goes on after a duplicate; a lay-down goes on until the run has its size."""
    role = role_of(s, card)
    lies.fill[s.place - 1] = role
    lies.lo = min(int(lies.lo), int(s.place))
    lies.hi = max(int(lies.hi), int(s.place))
    upwards = s.direction >= 0
    s.free = role == NATURAL and s.must == 0
    s.must = role == (UPPER_MATE if upwards else LOWER_MATE)
    s.place += 1 if upwards else -1
    if s.mode == LAYING_DOWN or role not in (LOWER_MATE, UPPER_MATE):
        s.rest -= 1


@kernel
def _end_set(s: Record) -> None:
    mode, slot = int(s.mode), int(s.slot)
    end_build(s)
    if mode == LAYING_DOWN and slot + 1 < sets_on_card(s):
        s.mode = LAYING_DOWN
        s.slot = slot + 1
        s.target = s.turn
        go_to(s, TEMPLATE)
    else:
        go_to(s, MAIN)


@kernel
def end_build(s: Record) -> None:
    """Nothing is being laid down or off."""
    s.mode = NOT_BUILDING
    s.slot = 0
    s.target = 0
    s.direction = 0
    s.place = 0
    s.rest = 0
    s.must = 0
    s.free = 0
    s.naturals = 0
    s.first_class = BY_SUIT
    for a in range(KIND, LAY_OFF):
        s.build_mask[a] = 0
