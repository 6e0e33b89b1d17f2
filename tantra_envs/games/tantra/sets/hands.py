"""Functions about the hand of seat 0: cards that go together, points, lay-offs, and the hand after laying down.

Agents call them with concealed records, in which the observer is seat 0.
"""

from __future__ import annotations

from typing import Any

from ....core.compiled.jit import kernel
from ....core.state import Record
from ..actions import KIND, PLACE, RUN
from ..material import JOKER, KINDS, MAX_SETS, NATURALS, PLACES, POINTS, RANKS, SETS, SUITS, TYPES, WILD, SetType
from ..state import Phase
from .building import begin_lay_down, begin_lay_off, build, can_go_on, first_choice, is_decided, offer
from .tabled import card_at, end_takes_any, fits_end, fits_kind, sets_on_card

# Cards


@kernel
def top_discard(s: Record) -> int:
    """Return the card on top of the discard pile, or -1 if the pile is empty."""
    return int(s.discard[s.discard_n - 1]) if s.discard_n > 0 else -1


@kernel
def friends(s: Record, card: int) -> float:
    """Return the number of cards in the hand that can be in a set with a copy of `card` from the hand."""
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
                place = RANKS  # the ace is also a neighbour of the king
            if 1 <= place <= PLACES and s.hands[0, card_at(suit, place)] > 0:
                found += 1.0
    return found


@kernel
def points(s: Record, card: int) -> int:
    """Return the points of a card that remains in a hand."""
    return int(POINTS[s.opt.card_points, card % RANKS if card < NATURALS else RANKS + card - JOKER])


@kernel
def fits_table(s: Record, card: int) -> bool:
    """Return whether one more copy of the card would fit on a set, perhaps as a pair with one that seat 0 holds."""
    turn = s.turn
    s.turn = 0
    s.hands[0, card] += 1
    s.hand_n[0] += 2
    fits = False
    for seat in range(s.seats):
        if s.laid_turn[seat] >= 0 and not fits:
            for slot in range(sets_on_card(s)):
                fits = fits or _fits_set(s, s.sets[seat * MAX_SETS + slot], card)
    s.hands[0, card] -= 1
    s.hand_n[0] -= 2
    s.turn = turn
    return fits


@kernel
def _fits_set(s: Record, lies: Any, card: int) -> bool:
    if lies.kind == SetType.KIND:
        return fits_kind(s, lies, card)
    if lies.kind == SetType.NONE or lies.size == 0 or (card < NATURALS and card // RANKS != lies.suit):
        return False
    up = fits_end(s, lies, card, lies.hi + 1, 1, False, False)
    return up or fits_end(s, lies, card, lies.lo - 1, -1, False, False)


@kernel
def laid_down(s: Record) -> int:
    """Return the number of other seats that have laid down."""
    count = 0
    for seat in range(1, s.seats):
        count += s.laid_turn[seat] >= 0
    return count


# Laying down and off


@kernel
def left_after(s: Record) -> int:
    """Lay down and lay off as much as the hand allows, and return the number of cards left."""
    begin_lay_down(s)
    while s.phase in (Phase.TEMPLATE, Phase.PLACE):
        offer(s)
        action = next_step(s, int(s.choices))
        while not is_decided(s) and not can_go_on(s, action):
            s.choices ^= 1 << (action - first_choice(s))
            action = next_step(s, int(s.choices))
        build(s, action)
        if s.phase == Phase.MAIN and s.hand_n[0] > 1:
            _begin_any_lay_off(s)
    return int(s.hand_n[0])


@kernel
def _begin_any_lay_off(s: Record) -> None:
    """Begin the first possible lay-off, if there is one."""
    for i in range(s.seats * MAX_SETS):
        for way in (-1, 1):
            lies = s.sets[i]
            if lies.kind != SetType.NONE and end_takes_any(s, lies, way):
                begin_lay_off(s, i // MAX_SETS, i % MAX_SETS, way)
                return


@kernel
def choices_in(s: Record, mask: Any) -> int:
    """Return the actions of `mask` as bits, in TEMPLATE and PLACE."""
    first, choices = first_choice(s), 0
    for i in range(TYPES):
        choices |= int(mask[first + i]) << i
    return choices


@kernel
def next_step(s: Record, choices: int) -> int:
    """Return the template with the most natural cards, or the card to place: a natural card, then WILD, then JOKER."""
    first, chosen, most = first_choice(s), -1, -1
    for i in range(TYPES):
        if (choices >> i) & 1:
            value = 2 if i < NATURALS else 1 if i == WILD else 0
            if first != PLACE:
                value = naturals_in(s, first + i)
            if value > most:
                chosen, most = first + i, value
    return chosen


@kernel
def naturals_in(s: Record, template: int) -> int:
    """Return the number of cards in hand of the rank of a kind, or of the first five places of a run, each once."""
    found = 0
    if template < RUN:
        for suit in range(SUITS):
            found += s.hands[0, suit * RANKS + template - KIND]
        return found
    suit, first = (template - RUN) // RANKS, (template - RUN) % RANKS + 1
    for place in range(first, min(PLACES, first + 4) + 1):
        found += s.hands[0, card_at(suit, place)] > 0
    return found
