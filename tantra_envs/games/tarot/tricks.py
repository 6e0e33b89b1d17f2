"""The play: suits are followed, trumps win, and each trick is scored when taken (T-50 to T-64): the phase PLAY."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .cards import hand_legal, led_suit, winning_place
from .material import FIRST_OF_SUIT, FOOL, HAND, KING, NO_SUIT, PLAIN_TRICK, RANK_OF, SUIT_OF, TRICK_WORTH, TRUMPS
from .result import end_hand
from .state import KingCut, Place, TrickPoints


@kernel
def play_legal(s: Record, mask: Any) -> None:
    """Mark cards of the suit led and the Fool; without one any card, or with `must_trump` a trump [T-53 to T-56]."""
    suit = led_suit(s)
    if suit == NO_SUIT:
        hand_legal(s, mask)
    elif _suit_legal(s, mask, suit) or (s.opt.must_trump == 1 and _suit_legal(s, mask, 0)):
        mask[FOOL] = 1 if s.loc[FOOL] == s.seat else 0
    else:
        hand_legal(s, mask)


@kernel
def _suit_legal(s: Record, mask: Any, suit: int) -> bool:
    """Mark the cards of a suit in the hand; return whether there are any."""
    found, seat = 0, s.seat
    for card in range(FIRST_OF_SUIT[suit], FIRST_OF_SUIT[suit + 1]):
        own = 1 if s.loc[card] == seat else 0
        mask[card] = own
        found += own
    return found > 0


@kernel
def play(s: Record, card: int) -> None:
    """Play a card to the trick; the last one ends it."""
    seat, suit = int(s.seat), led_suit(s)
    if suit != NO_SUIT and card != FOOL and SUIT_OF[card] != suit:
        s.void[seat, suit] = 1  # T-56
    s.loc[card] = Place.TRICK
    s.exposed[card] = 0
    s.giver[card] = -1
    s.hand_n[seat] -= 1
    s.trick[s.trick_n] = card
    s.trick_n += 1
    if card == FOOL:
        s.points[seat] += s.opt.fool_points  # T-62
    if s.trick_n < s.seats:
        s.seat = (seat + 1) % s.seats
    else:
        _end_trick(s)


@kernel
def _end_trick(s: Record) -> None:
    """Score the trick for its winner, who leads to the next; without cards end the hand [T-52, T-61]."""
    place = winning_place(s)
    seat = (s.leader + place) % s.seats
    s.points[seat] += trick_points(s) + kings_cut(s, int(s.trick[place]))
    s.taken[seat] += 1
    s.trick_no += 1
    for i in range(s.trick_n):
        s.loc[s.trick[i]] = Place.PLAYED
        s.trick[i] = 0
    s.trick_n = 0
    s.leader = seat
    s.seat = seat
    fewest = HAND
    for other in range(s.seats):
        fewest = min(fewest, int(s.hand_n[other]))
    if fewest == 0:
        end_hand(s)


@kernel
def trick_points(s: Record) -> int:
    """Return the points of the cards of the trick [T-61, T-63, T-64]."""
    worths, total, best = 0, 0, 0
    for i in range(s.trick_n):
        worth = int(TRICK_WORTH[s.trick[i]])
        best = max(best, worth)
        if s.opt.trick_points == TrickPoints.CARDS or worths & (1 << worth) == 0:
            total += worth
        worths |= 1 << worth
    return max(PLAIN_TRICK, best if s.opt.trick_points == TrickPoints.BEST else total)


@kernel
def kings_cut(s: Record, winning: int) -> int:
    """Return the points for Kings in a trick of a plain suit that a trump wins [T-50]."""
    suit = led_suit(s)
    if suit == 0 or winning >= TRUMPS:
        return 0
    points = 0
    for i in range(s.trick_n):
        card = int(s.trick[i])
        if RANK_OF[card] == KING and (s.opt.king_cut != KingCut.LED or SUIT_OF[card] == suit):
            points += int(s.opt.king_points)
    return points
