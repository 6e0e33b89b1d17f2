"""Resampling of the cards that a seat does not know: other hands, third hand, talon and discards.

What binds the draw is all that is public or the seat's own: cards shown and given away, suits somebody failed to
follow, calls that found no honour, cards that may not be laid away, and the question now being asked.
"""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.decks import drop_decks
from ...core.observers import knows_hand
from ...core.rng import below, seed_stream, shuffle
from ...core.state import Record
from .calling import legal_returns
from .cards import knows
from .exchange import may_discard
from .hand_scores import can_call, class_points, tarots_held
from .material import CARDS, IS_TAROT, NO_SUIT, SUIT_OF
from .state import PLACES, Phase, Place

ATTEMPTS = 1000  # draws until one fits the question being asked; about every second does
SWAPS = 4  # swaps for each card: they remove the bias of placing the most restricted cards first


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Resample `s` from `seed` among the tables that look the same to `seat`, or ALL_SEATS; given decks are dropped."""
    seed_stream(s.rng, seed)
    drop_decks(s)
    n = _collect(s, seat)
    bound = _is_bound(s, n)
    for _ in range(ATTEMPTS):
        shuffle(s.rng, s.deck, n)
        if _place(s, n):
            if bound:
                _mix(s, n)
            if (knows_hand(seat, int(s.seat)) or _can_be_asked(s)) and _caller_could_call(s):
                break
    for i in range(n):
        s.deck[i] = 0
    for place in range(PLACES):
        s.room[place] = 0
        s.left[place] = 0


@kernel
def _collect(s: Record, seat: int) -> int:
    """Move all cards unknown to `seat` to `s.deck`, ascending, and return their number.

    `s.room` counts them by place. What another seat knows of a card it gave away is dropped with the card.
    """
    n = 0
    for card in range(CARDS):
        place = int(s.loc[card])
        if place < PLACES and not _is_known(s, seat, card):
            s.deck[n] = card
            n += 1
            s.room[place] += 1
            s.loc[card] = Place.UNKNOWN
            s.giver[card] = -1
    return n


@kernel
def _is_known(s: Record, seat: int, card: int) -> bool:
    """Return whether the seat knows where this unplayed card is. The dealer knows the cards it laid away."""
    place = int(s.loc[card])
    if place == Place.DISCARDED:
        return knows_hand(seat, int(s.dealer))
    return place < s.seats and (knows_hand(seat, place) or knows(s, seat, card))


@kernel
def _is_bound(s: Record, n: int) -> bool:
    """Return whether some card may not be everywhere."""
    for i in range(n):
        for place in range(PLACES):
            if s.room[place] > 0 and not _may_lie(s, int(s.deck[i]), place):
                return True
    return False


@kernel
def _place(s: Record, n: int) -> bool:
    """Give every card of `s.deck` a place with room, the most restricted first; return whether all were allowed."""
    for place in range(PLACES):
        s.left[place] = s.room[place]
    allowed = True
    for choices in range(PLACES + 1):
        for i in range(n):
            card = int(s.deck[i])
            if _choices(s, card) == choices:
                allowed = _place_card(s, card) and allowed
    return allowed


@kernel
def _choices(s: Record, card: int) -> int:
    """Return the number of places where a card may be."""
    count = 0
    for place in range(PLACES):
        if s.room[place] > 0 and _may_lie(s, card, place):
            count += 1
    return count


@kernel
def _place_card(s: Record, card: int) -> bool:
    """Put a card in an allowed place, with probabilities by their room; if there is none, in any place."""
    room, anywhere = 0, 0
    for place in range(PLACES):
        anywhere += s.left[place]
        if _may_lie(s, card, place):
            room += s.left[place]
    skip = below(s.rng, room if room > 0 else anywhere)
    for place in range(PLACES):
        if room == 0 or _may_lie(s, card, place):
            skip -= s.left[place]
            if skip < 0:
                s.left[place] -= 1
                s.loc[card] = place
                break
    return room > 0


@kernel
def _mix(s: Record, n: int) -> None:
    """Swap random cards where each may be in the other's place."""
    for _ in range(SWAPS * n):
        one, other = int(s.deck[below(s.rng, n)]), int(s.deck[below(s.rng, n)])
        here, there = int(s.loc[one]), int(s.loc[other])
        if here != there and _may_lie(s, one, there) and _may_lie(s, other, here):
            s.loc[one] = there
            s.loc[other] = here


@kernel
def _may_lie(s: Record, card: int, place: int) -> bool:
    """Return whether public knowledge allows the card in this place."""
    if place < s.seats:
        suit = int(SUIT_OF[card])
        failed = suit != NO_SUIT and s.void[place, suit if suit != NO_SUIT else 0] == 1
        return not failed and (s.no_tarot[place] == 0 or IS_TAROT[card] == 0)
    return place != Place.DISCARDED or may_discard(int(s.opt.discard_rule), card)


@kernel
def _can_be_asked(s: Record) -> bool:
    """Return whether the seat to decide, with this hand, would be asked the current question."""
    seat = int(s.seat)
    if s.phase == Phase.DECLARE:
        return class_points(s, seat, int(s.cls)) > 0
    if s.phase == Phase.CALL:
        return can_call(s, seat)
    if s.phase == Phase.ANSWER:
        return tarots_held(s, seat) > 1
    return s.phase != Phase.RETURN or legal_returns(s) > 1


@kernel
def _caller_could_call(s: Record) -> bool:
    """Return whether a caller who waits for an answer holds a card to give in exchange [T-44]."""
    return s.phase != Phase.ANSWER or legal_returns(s) > 0
