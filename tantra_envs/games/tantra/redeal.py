"""Resampling the cards that a seat cannot know: other hands beyond their known cards, the pick-up pile, later rounds.

Private knowledge among the other seats (a card handed to a buyer) is dropped, because the seat did not see the card.
Given decks are dropped too. After the end of the game the hands stay: they have been counted.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.decks import drop_decks
from ...core.observers import ALL_SEATS, collect, complete, knows_hand
from ...core.rng import below, seed_stream, shuffle, sort
from ...core.state import Record
from .material import TYPES, WILD
from .options import DisplayOrder
from .sets.building import look_at_build
from .sets.search.laying import can_lay_down
from .state import Mode, Phase

LACKING_MOST = 20  # in cards; no set lacks more, and a place that only its mate may fill lacks this number
CLIMB = 16  # one exchange in CLIMB is kept although the hand then lacks more cards


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Turn `s` into a table that looks the same to `seat`, or to ALL_SEATS, with cards resampled from `seed`.

    The unknown cards are collected in `s.stock`, behind the pick-up pile if that is public. They are sorted, shuffled
    and dealt back, because the numbers of cards are public. A seat with an unfinished set gets a hand that can finish
    it.
    """
    seed_stream(s.rng, seed)
    _redraw_piles(s)
    if s.phase == Phase.OVER:
        return
    if seat != ALL_SEATS:
        _forget_secrets(s, seat)
    first = int(s.stock_n) if s.recycles > 0 else 0
    left, collected = int(s.stock_n), _collect(s, seat)
    redraw_order(s, s.stock, first, collected)
    end = collected
    if not knows_hand(seat, int(s.turn)):
        end = complete(s.hands[s.turn], int(s.hand_n[s.turn]), s.stock, end)
        if s.phase == Phase.MAIN:
            s.can_lay = can_lay_down(s, int(s.turn))
        elif s.mode != Mode.NOT_BUILDING:
            _make_possible(s, first, end, collected)
    for other in range(s.seats):
        if other != s.turn and not knows_hand(seat, other):
            end = complete(s.hands[other], int(s.hand_n[other]), s.stock, end)
    if _hides_peeked(s, seat):
        s.peeked = s.stock[end - 1]
    for i in range(left, collected):
        s.stock[i] = 0


@kernel
def _redraw_piles(s: Record) -> None:
    """Shuffle the cards of the display and wild piles that have not been turned up, and drop given decks."""
    if s.opt.display_order == DisplayOrder.SHUFFLED:
        redraw_order(s, s.display_pile, int(s.displays_seen), int(s.opt.displays_n))
    redraw_order(s, s.wild_pile, int(s.wilds_seen), int(s.opt.wilds_n))
    drop_decks(s)


@kernel
def redraw_order(s: Record, cards: Any, first: int, n: int) -> None:
    """Shuffle `cards[first:n]`, sorted first so that the result does not depend on the true order."""
    rest = cards[first:n]
    sort(rest, len(rest))
    shuffle(s.rng, rest, len(rest))


@kernel
def _forget_secrets(s: Record, seat: int) -> None:
    """Reduce the knowledge among other seats to public knowledge."""
    for observer in range(s.seats):
        for other in range(s.seats):
            if seat not in (observer, other) and observer != other:
                for card in range(TYPES):
                    s.known[observer, other, card] = s.public[other, card]


@kernel
def _hides_peeked(s: Record, seat: int) -> bool:
    """Return whether there is a peeked card that `seat` does not see [R-44]."""
    return bool(s.peeked >= 0 and s.peek_public == 0 and not knows_hand(seat, int(s.turn)))


@kernel
def _collect(s: Record, seat: int) -> int:
    """Move all cards unknown to `seat` to the end of `s.stock`, and return the new length."""
    n = int(s.stock_n)
    for other in range(s.seats):
        if not knows_hand(seat, other):
            n = collect(s.hands[other], s.known[seat][other], s.stock, n)
    if _hides_peeked(s, seat):
        s.stock[n] = s.peeked
        n += 1
    return n


@kernel
def _make_possible(s: Record, first: int, end: int, n: int) -> None:
    """Exchange cards of the seat in turn, `s.stock[end:n]`, for other unknown ones until it has a legal action.

    Then `choices` holds the legal actions of the new hand.
    """
    lacking = _lacking(s)
    while lacking > 0:
        mine, other = end + below(s.rng, n - end), first + below(s.rng, end - first)
        _exchange(s, mine, other)
        after = _lacking(s)
        if after <= lacking or below(s.rng, CLIMB) == 0:
            lacking = after
        else:
            _exchange(s, mine, other)


@kernel
def _exchange(s: Record, mine: int, other: int) -> None:
    hand, card = s.hands[s.turn], int(s.stock[mine])
    hand[card] -= 1
    s.stock[mine] = s.stock[other]
    s.stock[other] = card
    hand[s.stock[mine]] += 1


@kernel
def _lacking(s: Record) -> int:
    """Return the number of additional wild cards with which the seat in turn would have a legal action."""
    lacking, possible = 0, False
    while lacking < LACKING_MOST and not possible:
        look_at_build(s, False)
        possible = s.choices != 0
        if not possible:
            s.hands[s.turn, WILD] += 1
            lacking += 1
    s.hands[s.turn, WILD] -= lacking
    return lacking
