"""Queries about the cards on a table: who holds them, who knows them, which suit is led and which card wins."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .material import CARDS, FIRST_OF_SUIT, FOOL, NO_SUIT, SUIT_OF, TRUMPS


@kernel
def hand_legal(s: Record, mask: Any) -> None:
    """Mark the cards that the seat to decide holds."""
    for card in range(CARDS):
        mask[card] = 1 if s.loc[card] == s.seat else 0


@leaf
def knows(s: Record, seat: int, card: int) -> bool:
    """Return whether a seat knows whose hand this card is in: shown to all, or given away by this seat [T-34, T-44]."""
    return bool((s.exposed[card] == 1) | (s.giver[card] == seat))


@kernel
def led_suit(s: Record) -> int:
    """Return the suit of the first card of the trick that is not the Fool, NO_SUIT before there is one [T-53, T-56]."""
    for i in range(s.trick_n):
        if s.trick[i] != FOOL:
            return int(SUIT_OF[s.trick[i]])
    return NO_SUIT


@kernel
def winning_place(s: Record) -> int:
    """Return the place in the trick of the card that wins so far, -1 before there is one [T-57, T-58]."""
    suit, best, place = led_suit(s), -1, -1
    for i in range(s.trick_n):
        value = strength(int(s.trick[i]), suit)
        if value > best:
            best, place = value, i
    return place


@kernel
def strength(card: int, suit: int) -> int:
    """Return the rank of a card in a trick of this suit: the highest takes it, -1 never does [T-57, T-58]."""
    if card == FOOL:
        return -1
    if card < TRUMPS:
        return card + CARDS
    return card if SUIT_OF[card] == suit else -1


@kernel
def declarer(s: Record) -> int:
    """Return the seat that declares [T-37]."""
    return int((s.dealer + 1 + s.declarer_no) % s.seats)


@kernel
def run_through(known: Record, card: int) -> int:
    """Return the number of cards in the own hand in an unbroken line through this one."""
    suit = int(SUIT_OF[card])
    length, low = 1, card - 1
    while low >= FIRST_OF_SUIT[suit] and known.loc[low] == 0:
        length += 1
        low -= 1
    high = card + 1
    while high < FIRST_OF_SUIT[suit + 1] and known.loc[high] == 0:
        length += 1
        high += 1
    return length
