"""[Laying Down] and [Laying Off]: sets are built card by card, and every legal action can be completed (D-1).

These are the phases TEMPLATE and PLACE. Their legal actions need a search, so they are kept in `s.choices`.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel, leaf
from ....core.compiled.stack import local_zeros
from ....core.state import Record
from ..actions import KIND, PLACE, RUN
from ..card_moves import go_to, lose
from ..material import IDENTICAL, JOKER, MAX_SETS, NATURALS, NO_JOKERS, PLACES, RANKS, SUITS, TYPES, WILD, SetType
from ..options import FillMode
from ..state import FIND, KIND_CLASS, KindClass, Mode, Phase, Role
from .search.bound import holes_of
from .search.kinds import left_of_rank
from .search.laying import answer, ask, spare_wilds
from .tabled import card_at, end_free, fits_end, fits_kind, has_flag, is_kind_slot, same_shape, sets_on_card, size_of


@kernel
def begin_lay_down(s: Record) -> None:
    """Begin to lay down the sets of the Display Card [R-28]."""
    s.laid_turn[s.turn] = s.turns
    s.can_lay = 0
    s.mode = Mode.LAYING_DOWN
    s.slot = 0
    s.target = s.turn
    go_to(s, Phase.TEMPLATE)


@kernel
def begin_lay_off(s: Record, owner: int, slot: int, way: int) -> None:
    """Begin to lay off on a set, at its high end with `way` = 1 and else at its low end, or on a kind [R-31]."""
    lies = s.sets[owner * MAX_SETS + slot]
    s.mode = Mode.LAYING_OFF
    s.slot = slot
    s.target = owner
    s.rest = 1
    if lies.kind == SetType.RUN:
        s.direction = way
        s.place = lies.hi + 1 if way > 0 else lies.lo - 1
        s.free = end_free(lies, way)
    go_to(s, Phase.PLACE)


@kernel
def build(s: Record, action: int) -> None:
    """Choose a template, or place the next card."""
    if s.phase == Phase.TEMPLATE:
        choose_template(s, action)
    else:
        place_card(s, action - PLACE)


@kernel
def play_forced(s: Record) -> None:
    """Play templates and places while there is only one choice [D-2], or all places with automatic fill [D-7]."""
    while s.phase in (Phase.TEMPLATE, Phase.PLACE):
        look_at_build(s, True)
        only = -1
        if s.opt.fill_mode == FillMode.AUTO and s.mode == Mode.LAYING_DOWN and s.phase == Phase.PLACE:
            only = _plainest(s)
        elif s.opt.auto_forced == 0 or not is_decided(s):
            return
        for i in range(TYPES if only < 0 else 0):
            only = i if is_choice(s, i) else only
        build(s, first_choice(s) + only)


@kernel
def _plainest(s: Record) -> int:
    """Return the first legal card: natural, duplicate of the lower neighbour, of the upper one, WILD, JOKER [D-7]."""
    if not is_kind_slot(s, int(s.slot)):
        suit = int(s.sets[s.target * MAX_SETS + s.slot].suit)
        for away in (0, -1, 1):
            place = s.place + away
            if 1 <= place <= PLACES and is_choice(s, card_at(suit, place)):
                return card_at(suit, place)
    for card in range(NATURALS):
        if is_choice(s, card):
            return card
    return WILD if is_choice(s, WILD) else JOKER


# The choices of TEMPLATE and PLACE: bit i of `s.choices` is the action `first_choice(s) + i`


@kernel
def first_choice(s: Record) -> int:
    """Return the action of bit 0 of `choices`: of the first card, rank or run."""
    if s.phase == Phase.PLACE:
        return PLACE
    return KIND if is_kind_slot(s, int(s.slot)) else RUN


@leaf
def is_choice(s: Record, i: int) -> bool:
    """Return whether bit `i` of `choices` is set."""
    return bool((s.choices >> i) & 1)


@leaf
def is_decided(s: Record) -> bool:
    """Return whether at most one bit of `choices` is set."""
    return bool(s.choices & (s.choices - 1) == 0)


@kernel
def look_at_build(s: Record, is_possible: bool) -> None:
    """Fill in the legal actions of TEMPLATE and PLACE: the possible next steps that can be completed (D-1).

    `is_possible` promises that at least one of them can be completed. Then the last one left needs no search.
    """
    offer(s)
    first = first_choice(s)
    for i in range(TYPES):
        if is_choice(s, i) and not (is_possible and is_decided(s)) and not can_go_on(s, first + i):
            s.choices ^= 1 << i


@kernel
def offer(s: Record) -> None:
    """Set `choices` to the templates or cards that are possible next, without the search."""
    s.choices = 0
    if s.mode == Mode.LAYING_OFF:
        _cards_to_lay_off(s)
    elif s.phase == Phase.TEMPLATE:
        _templates(s)
    else:
        _cards_to_lay_down(s)


@kernel
def can_go_on(s: Record, action: int) -> bool:
    """Return whether this set and all later ones can be completed after a possible template or card."""
    if s.mode == Mode.LAYING_OFF:
        return True
    find, card = local_zeros(1, FIND)[0], action - PLACE
    placed = size_of(s, int(s.slot)) - s.rest + 1 if card >= 0 else 0
    naturals = s.naturals + (0 <= card < NATURALS)
    ask(s, find, int(s.turn))
    if card >= NATURALS:
        find.wilds -= 1
    elif card >= 0:
        find.left[card] -= 1
    if is_kind_slot(s, int(s.slot)):
        _ask_about_kind(s, find, action, placed, naturals)
    else:
        _ask_about_run(s, find, action, placed, naturals)
    return answer(s, find)


@kernel
def _ask_about_kind(s: Record, find: Any, action: int, placed: int, naturals: int) -> None:
    """Describe the progress of a kind to the search: cards of suits before the last card's are excluded [D-6]."""
    slot, card = int(s.slot), action - PLACE
    find.slot = slot + 1
    find.first_kind = slot + 1
    find.rank = s.sets[s.turn * MAX_SETS + slot].rank if card >= 0 else action - KIND
    find.rest = size_of(s, slot) - placed
    find.suit = min(SUITS, card // RANKS) if card >= 0 else 0
    find.naturals = naturals


@kernel
def _ask_about_run(s: Record, find: Any, action: int, placed: int, naturals: int) -> None:
    """Describe the progress of a run to the search.

    The first step of the search continues an unfinished run. After a finished run, the next run of its size may not
    have a lower template [D-5].
    """
    slot, card = int(s.slot), action - PLACE
    lies, first = s.sets[s.turn * MAX_SETS + slot], find.steps[0]
    whole = placed == size_of(s, slot)
    find.slot = slot + whole
    find.first_kind = MAX_SETS
    if not whole or (slot + 1 < sets_on_card(s) and same_shape(s, slot + 1)):
        first.template = lies.suit * RANKS + lies.lo - 1 if card >= 0 else action - RUN
    if not whole:
        role = role_of(s, card) if card >= 0 else Role.EMPTY
        find.begun = 1
        find.placed = placed
        first.free = role == Role.NATURAL and s.must == 0
        first.must = role == Role.UPPER_MATE
        first.in_run = naturals
    elif naturals < s.opt.min_naturals_per_set:
        find.wilds = -1  # never


# TEMPLATE: the rank or place of the next set


@kernel
def _templates(s: Record) -> None:
    """Fill in ranks, or suits and first places, except those with too few wild cards for the set."""
    slot = int(s.slot)
    find = local_zeros(1, FIND)[0]
    size, spare = size_of(s, slot), spare_wilds(s, find, int(s.turn), slot)
    if is_kind_slot(s, slot):
        for rank in range(lowest_template(s), RANKS):
            s.choices |= int(size - left_of_rank(find, rank, 0) <= spare) << rank
    else:
        for template in range(lowest_template(s), NATURALS):
            suit, first = template // RANKS, template % RANKS + 1
            fits = first + size - 1 <= PLACES
            s.choices |= int(fits and holes_of(find, suit, first, size) <= spare) << template


@kernel
def lowest_template(s: Record) -> int:
    """Return the lowest template for this slot: sets of equal type and size come in ascending order [D-5]."""
    if s.slot == 0 or not same_shape(s, int(s.slot)):
        return 0
    before = s.sets[s.turn * MAX_SETS + s.slot - 1]
    return int(before.rank) if before.kind == SetType.KIND else before.suit * RANKS + before.lo - 1


@kernel
def choose_template(s: Record, action: int) -> None:
    """Set the rank of the next kind, or the suit and first place of the next run."""
    lies = s.sets[s.turn * MAX_SETS + s.slot]
    if action < RUN:
        lies.kind = SetType.KIND
        lies.rank = action - KIND
    else:
        lies.kind = SetType.RUN
        lies.suit = (action - RUN) // RANKS
        lies.lo = (action - RUN) % RANKS + 1
        lies.hi = lies.lo - 1
        s.place = lies.lo
    s.rest = size_of(s, int(s.slot))
    go_to(s, Phase.PLACE)


# PLACE in a set of a lay-down


@kernel
def _cards_to_lay_down(s: Record) -> None:
    """Fill in the cards held for the next place."""
    slot = int(s.slot)
    lies = s.sets[s.turn * MAX_SETS + slot]
    must = s.must == 1
    if is_kind_slot(s, slot):  # suits ascending, then WILD, then JOKER (D-6)
        for suit in range(s.first_class, SUITS):
            _offer(s, suit * RANKS + int(lies.rank))
    else:  # natural, or duplicate of a neighbour
        suit, placed = int(lies.suit), size_of(s, slot) - s.rest
        _offer(s, card_at(suit, int(s.place)))
        if 0 < placed < size_of(s, slot) - 1 and has_flag(s, IDENTICAL) and not must:
            if s.free:
                _offer(s, card_at(suit, s.place - 1))
            if s.hands[s.turn, card_at(suit, s.place + 1)] > 1:
                _offer(s, card_at(suit, s.place + 1))
    if not must and s.first_class <= KindClass.WILD:
        _offer(s, WILD)
    if not must and not has_flag(s, NO_JOKERS):
        if not is_kind_slot(s, slot) or s.hands[s.turn, JOKER] >= s.rest:  # only JOKER follows JOKER
            _offer(s, JOKER)


@kernel
def _offer(s: Record, card: int) -> None:
    """Fill in a card if it is held."""
    if s.hands[s.turn, card] > 0:
        s.choices |= 1 << card


@kernel
def role_of(s: Record, card: int) -> int:
    """Return the role of a card in the next place of the run being built [R-23]."""
    if card >= NATURALS:
        return Role.JOKER if card == JOKER else Role.WILD
    suit = int(s.sets[s.target * MAX_SETS + s.slot].suit)
    if card == card_at(suit, int(s.place)):
        return Role.NATURAL
    return Role.LOWER_MATE if card == card_at(suit, s.place - 1) else Role.UPPER_MATE


# PLACE in a set that gets a lay-off, and the effects of placing a card


@kernel
def _cards_to_lay_off(s: Record) -> None:
    """Fill in the cards that may be laid off on the set [R-32, R-33]."""
    lies = s.sets[s.target * MAX_SETS + s.slot]
    for card in range(TYPES):
        if lies.kind == SetType.KIND:
            s.choices |= int(fits_kind(s, lies, card)) << card
        elif s.hands[s.turn, card] > 0:
            fits = fits_end(s, lies, card, int(s.place), int(s.direction), s.free == 1, s.must == 1)
            s.choices |= int(fits) << card


@kernel
def place_card(s: Record, card: int) -> None:
    """Move the next card of the set being built from the hand to the table [R-21]."""
    lies = s.sets[s.target * MAX_SETS + s.slot]
    lose(s, int(s.turn), card)
    s.tabled[card] += 1
    lies.size += 1
    if lies.kind == SetType.KIND:
        s.first_class = KIND_CLASS[card]
        lies.fill[s.first_class] += 1
        s.rest -= 1
    else:
        _place_in_run(s, lies, card)
    s.naturals += card < NATURALS
    if s.rest == 0:
        _end_set(s)


@kernel
def _place_in_run(s: Record, lies: Any, card: int) -> None:
    """Place a card in a run: a duplicate continues a lay-off; a lay-down continues until the run has its size."""
    role = role_of(s, card)
    lies.fill[s.place - 1] = role
    lies.lo = min(int(lies.lo), int(s.place))
    lies.hi = max(int(lies.hi), int(s.place))
    upwards = s.direction >= 0
    s.free = role == Role.NATURAL and s.must == 0
    s.must = role == (Role.UPPER_MATE if upwards else Role.LOWER_MATE)
    s.place += 1 if upwards else -1
    if s.mode == Mode.LAYING_DOWN or role not in (Role.LOWER_MATE, Role.UPPER_MATE):
        s.rest -= 1


@kernel
def _end_set(s: Record) -> None:
    mode, slot = int(s.mode), int(s.slot)
    end_build(s)
    if mode == Mode.LAYING_DOWN and slot + 1 < sets_on_card(s):
        s.mode = Mode.LAYING_DOWN
        s.slot = slot + 1
        s.target = s.turn
        go_to(s, Phase.TEMPLATE)
    else:
        go_to(s, Phase.MAIN)


@kernel
def end_build(s: Record) -> None:
    """Clear the notes about the set being built."""
    s.mode = Mode.NOT_BUILDING
    s.slot = 0
    s.target = 0
    s.direction = 0
    s.place = 0
    s.rest = 0
    s.must = 0
    s.free = 0
    s.naturals = 0
    s.first_class = KindClass.CLUBS
    s.choices = 0
