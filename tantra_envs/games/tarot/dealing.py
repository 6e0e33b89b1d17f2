"""The deal: twenty-five cards each in packets of five, the talon, and for two seats a third hand (T-10 to T-12)."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.rng import shuffle
from ...core.state import Record
from .material import CARDS, HAND, MAX_DECKS, MAX_HANDS, MAX_SEATS, PACKET, SUITS, TALON_SIZE
from .state import Phase, Place, Talon


@kernel
def clear_table(s: Record) -> None:
    """Clear hands and scores. Only `opt`, `seats` and the random stream stay."""
    for seat in range(MAX_SEATS):
        s.totals[seat] = 0
        s.rewards[seat] = 0.0
    for i in range(MAX_HANDS):
        s.scored[i] = 0
        s.scorer[i] = 0
    for i in range(MAX_DECKS):
        for card in range(CARDS):
            s.decks[i, card] = 0
    s.decks_n = 0
    s.hand_no = 0
    s.plies = 0
    s.over = 0
    s.truncated = 0
    s.winner = -1


@kernel
def deal_hand(s: Record) -> None:
    """Deal a new hand by `s.dealer`, from the next given deck or a shuffled one [T-11]."""
    clear_hand(s)
    if s.decks_n > 0:
        _next_given_deck(s)
    else:
        for card in range(CARDS):
            s.deck[card] = card
        shuffle(s.rng, s.deck, CARDS)
    _hand_out(s)
    for i in range(CARDS):
        s.deck[i] = 0
    s.seat = s.dealer
    s.phase = Phase.DISCARD
    if s.opt.talon == Talon.TAKE_FIRST:
        take_talon(s)


@kernel
def clear_hand(s: Record) -> None:
    """Clear the points, shown cards and knowledge of the last hand."""
    for seat in range(s.seats):
        s.points[seat] = 0
        s.taken[seat] = 0
        s.hand_n[seat] = 0
        s.no_tarot[seat] = 0
        s.trick[seat] = 0
        for suit in range(SUITS):
            s.void[seat, suit] = 0
    for card in range(CARDS):
        s.exposed[card] = 0
        s.giver[card] = -1
    s.trick_no = 0
    s.trick_n = 0
    s.discards_n = 0
    s.declarer_no = 0
    s.cls = -1
    s.tarots_shown = 0
    s.replier = -1
    s.leader = (s.dealer + 1) % s.seats


@kernel
def _next_given_deck(s: Record) -> None:
    """Take the first given deck as the deck and move the others up."""
    for card in range(CARDS):
        s.deck[card] = s.decks[0, card]
        for i in range(1, MAX_DECKS):
            s.decks[i - 1, card] = s.decks[i, card]
        s.decks[MAX_DECKS - 1, card] = 0
    s.decks_n -= 1


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
