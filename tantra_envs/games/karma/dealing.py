"""The deal: fill the deck, hand out cards [K-04, K-05]."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.decks import turn_over
from ...core.state import Record
from .material import SMALL_DECKS, TYPES
from .queries import around
from .state import Phase


@kernel
def fill_deck(s: Record) -> None:
    """Fill in the whole deck in ascending order; cards that are not in a smaller deck are gone [K-02, K-06]."""
    s.draw_n = 0
    for card in range(TYPES):
        inside = SMALL_DECKS[s.opt.deck_cards, card] if s.opt.deck_cards else s.opt.copies
        s.gone[card] = s.opt.copies - inside
        for _ in range(inside):
            s.draw[s.draw_n] = card
            s.draw_n += 1


@kernel
def hand_out(s: Record) -> None:
    """Deal from `s.draw`, front first; the rest becomes the draw pile [K-05]."""
    dealt, table_cards = int(s.opt.dealt), int(s.opt.table_cards)
    for seat in range(s.seats):
        first = dealt * seat
        for i in range(table_cards):
            s.down[seat, table_cards - 1 - i] = s.draw[first + i]
        s.down_n[seat] = table_cards
        for i in range(table_cards, dealt):
            s.hands[seat, s.draw[first + i]] += 1
        s.hand_n[seat] = dealt - table_cards
    turn_over(s.draw, s.draw_n, dealt * s.seats)
    s.draw_n -= dealt * s.seats
    s.seat = around(s.dealer + 1, s.seats)  # K-04
    s.phase = Phase.SETUP
    s.setup_left = s.seats
    if s.opt.auto_setup:
        _place_highest(s)


@kernel
def _place_highest(s: Record) -> None:
    """Put every seat's highest types face up and start the play [K-11]."""
    for seat in range(s.seats):
        card = TYPES - 1
        while s.up_n[seat] < s.opt.table_cards:
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
