"""The deal: twenty-five cards each in packets of five, the talon, and for two seats a third hand (T-10 to T-12).

A smaller deck has no talon (T-13).
"""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.decks import take_deck
from ...core.rng import shuffle
from ...core.state import Record
from .material import CARDS, HAND, MAX_SEATS, PACKET, SMALL_DECKS, SMALL_HANDS, TALON_SIZE, TRICKS
from .reckoning import reckon
from .state import Phase, Place, Talon, clear_round


@kernel
def deal_hand(s: Record) -> None:
    """Deal a new hand by `s.dealer`, from the next given deck or a shuffled one [T-11, T-13]."""
    clear_round(s)
    s.leader = (s.dealer + 1) % s.seats
    size = 0
    for card in range(CARDS):
        if s.opt.deck_cards == 0 or SMALL_DECKS[s.opt.deck_cards, card] == 1:
            s.deck[size] = card
            size += 1
    if s.decks_n > 0:
        take_deck(s, s.deck, size)
    else:
        shuffle(s.rng, s.deck, size)
    if s.opt.deck_cards:
        _hand_out_small(s, size)
    else:
        _hand_out(s)
    for i in range(size):
        s.deck[i] = 0
    if s.opt.deck_cards:
        reckon(s, 0)
        return
    s.seat = s.dealer
    s.phase = Phase.DISCARD
    if s.opt.talon == Talon.TAKE_FIRST:
        take_talon(s)


@kernel
def _hand_out_small(s: Record, size: int) -> None:
    """Deal a smaller deck: hands, and the rest to the third hand; the missing tricks and cards are finished [T-13]."""
    hand = min(int(SMALL_HANDS[s.opt.deck_cards]), size // s.seats)
    for card in range(CARDS):
        s.loc[card] = Place.PLAYED
    for i in range(size):
        s.loc[s.deck[i]] = (s.leader + i // hand) % s.seats if i < hand * s.seats else Place.THIRD.value
    for seat in range(s.seats):
        s.hand_n[seat] = hand
    s.trick_no = TRICKS - hand


@kernel
def _hand_out(s: Record) -> None:
    """Deal packets of five to three places; for two seats the middle one is the third hand [T-11, T-12]."""
    for i in range(CARDS):
        place = i // PACKET % MAX_SEATS
        if i >= CARDS - TALON_SIZE:
            to = Place.TALON.value
        elif place == MAX_SEATS - 1:
            to = int(s.dealer)
        elif s.seats == 2 and place == 1:
            to = Place.THIRD.value
        else:
            to = (s.dealer + 1 + place) % s.seats
        s.loc[s.deck[i]] = to
    for seat in range(s.seats):
        s.hand_n[seat] = HAND


@kernel
def take_talon(s: Record) -> None:
    """Move the talon into the dealer's hand."""
    for card in range(CARDS):
        if s.loc[card] == Place.TALON:
            s.loc[card] = s.dealer
            s.hand_n[s.dealer] += 1
