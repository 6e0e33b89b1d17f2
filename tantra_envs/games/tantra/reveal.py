"""What a seat sees of the fields that it sees in part, or only in some positions."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.fields import seats_ahead
from ...core.state import Record
from .material import DISPLAYS, MAX_CARDS, MAX_SETS, PLACES, RANKS, TYPES, SetType
from .options import DisplayOrder


@kernel
def reveal(s: Record, observer: int, first: int, known: Record) -> None:
    """Fill in the fields that a seat sees in part, or only in some positions."""
    own_turn, turned_over = observer == s.turn, s.recycles > 0
    known.can_lay = s.can_lay if own_turn else 0
    known.peeked = s.peeked if own_turn or s.peek_public else -1
    known.choices = s.choices if own_turn else 0
    for i in range(MAX_CARDS):
        known.stock[i] = s.stock[i] if turned_over else 0
    displays_seen = DISPLAYS if s.opt.display_order == DisplayOrder.NUMERIC else int(s.displays_seen)
    for i in range(DISPLAYS):
        known.display_pile[i] = s.display_pile[i] if i < displays_seen else 0
    for i in range(RANKS):
        known.wild_pile[i] = s.wild_pile[i] if i < s.wilds_seen else 0
    _reveal_cards_of_others(s, observer, first, known)
    _reveal_sets(s, first, known)
    _reveal_last_round(s, first, known)


@kernel
def _reveal_cards_of_others(s: Record, observer: int, first: int, known: Record) -> None:
    """Fill in the public cards and the observer's rows of `known`, and zeros in the rows of the others."""
    own, seats = seats_ahead(observer, first, int(s.seats)), int(s.seats)
    for row in range(seats if own > 0 else 0):  # with rows counted from the observer, only row 0 is ever written
        for other in range(seats):
            for card in range(TYPES):
                known.known[row, other, card] = 0
    for other in range(seats):
        row = seats_ahead(other, first, seats)
        for card in range(TYPES):  # one loop for both, because it then compiles to vector instructions
            known.public[row, card] = s.public[other, card]
            known.known[own, row, card] = s.known[observer, other, card]


@kernel
def _reveal_sets(s: Record, first: int, known: Record) -> None:
    """Copy the sets on the table; a slot without a set is zero."""
    for seat in range(s.seats):
        at, to = MAX_SETS * seat, MAX_SETS * seats_ahead(seat, first, int(s.seats))
        for slot in range(MAX_SETS):
            lies, copy = s.sets[at + slot], known.sets[to + slot]
            if lies.kind != SetType.NONE or copy.kind != SetType.NONE:
                copy.kind = lies.kind
                copy.rank = lies.rank
                copy.suit = lies.suit
                copy.lo = lies.lo
                copy.hi = lies.hi
                copy.size = lies.size
                for i in range(PLACES):
                    copy.fill[i] = lies.fill[i]


@kernel
def _reveal_last_round(s: Record, first: int, known: Record) -> None:
    """Copy the figures of the last finished round, which everybody saw."""
    then, last, seats = known.last, s.last, int(s.seats)
    then.turns = last.turns
    then.sales = last.sales
    then.refusals = last.refusals
    then.display = last.display
    then.wild = last.wild
    then.out = seats_ahead(int(last.out), first, seats)
    then.ending = last.ending
    for seat in range(seats):
        row = seats_ahead(seat, first, seats)
        then.scores[row] = last.scores[seat]
        then.laid_turn[row] = last.laid_turn[seat]
        then.hand_points[row] = last.hand_points[seat]
