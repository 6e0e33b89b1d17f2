"""The deal: clear the table, fill the deck, hand out cards [K-04, K-05]."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.state import Record
from .material import DEALT, MAX_CARDS, TABLE_CARDS, TYPES
from .sets import around
from .state import Phase


@kernel
def clear_table(s: Record) -> None:
    """Clear the table. Only `opt`, `seats` and the random stream stay."""
    for i in range(MAX_CARDS):
        s.pile[i] = 0
        s.draw[i] = 0
    for card in range(TYPES):
        s.gone[card] = 0
        s.piled[card] = 0
    for seat in range(s.seats):
        for card in range(TYPES):
            s.hands[seat, card] = 0
            s.up[seat, card] = 0
            s.known[seat, card] = 0
        for i in range(TABLE_CARDS):
            s.down[seat, i] = 0
        s.hand_n[seat] = 0
        s.up_n[seat] = 0
        s.down_n[seat] = 0
        s.out[seat] = 0
        s.rewards[seat] = 0.0
    s.out_n = 0
    s.pile_n = 0
    s.draw_n = 0
    s.run = 0
    s.plies = 0
    s.over = 0
    s.truncated = 0
    s.loser = -1


@kernel
def fill_deck(s: Record) -> None:
    """Fill in the whole deck in ascending order [K-02]."""
    s.draw_n = s.opt.deck_size
    for i in range(s.draw_n):
        s.draw[i] = i // s.opt.copies


@kernel
def hand_out(s: Record) -> None:
    """Deal from `s.draw`, front first; the rest becomes the draw pile [K-05]."""
    for seat in range(s.seats):
        first = DEALT * seat
        for i in range(TABLE_CARDS):
            s.down[seat, TABLE_CARDS - 1 - i] = s.draw[first + i]
        s.down_n[seat] = TABLE_CARDS
        for i in range(TABLE_CARDS, DEALT):
            s.hands[seat, s.draw[first + i]] += 1
        s.hand_n[seat] = DEALT - TABLE_CARDS
    _turn_over_rest(s, DEALT * s.seats)
    s.seat = around(s.dealer + 1, s.seats)  # K-04
    s.phase = Phase.SETUP
    s.setup_left = s.seats
    if s.opt.auto_setup:
        _place_highest(s)


@kernel
def _turn_over_rest(s: Record, dealt: int) -> None:
    """Drop the dealt front of `s.draw` and reverse the rest, so that the next card to draw is last."""
    size = s.draw_n
    for i in range(dealt):
        s.draw[i] = 0
    left, right = 0, size - 1
    while left < right:
        card = s.draw[left]
        s.draw[left] = s.draw[right]
        s.draw[right] = card
        left += 1
        right -= 1
    s.draw_n = size - dealt


@kernel
def _place_highest(s: Record) -> None:
    """Put every seat's three highest types face up and start the play [K-11]."""
    for seat in range(s.seats):
        card = TYPES - 1
        while s.up_n[seat] < TABLE_CARDS:
            if s.hands[seat, card] > 0:
                put_up(s, seat, card)
            else:
                card -= 1
    s.setup_left = 0
    s.phase = Phase.PLAY


@kernel
def put_up(s: Record, seat: int, card: int) -> None:
    """Put a card of the hand face up."""
    s.hands[seat, card] -= 1
    s.hand_n[seat] -= 1
    s.up[seat, card] += 1
    s.up_n[seat] += 1
