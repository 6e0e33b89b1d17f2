"""Move cards between piles and hands, with what everybody knows of them. All phases use these steps."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.state import Record
from .state import Phase


@kernel
def go_to(s: Record, phase: Phase) -> None:
    """Go to a phase, with the seat in turn to decide."""
    s.phase = phase
    s.seat = s.turn


@kernel
def take_discard(s: Record, seat: int) -> None:
    """Move the top discard to a hand; everybody sees it."""
    s.discard_n -= 1
    card = int(s.discard[s.discard_n])
    s.discard[s.discard_n] = 0
    s.discarded[card] -= 1
    gain(s, seat, card)
    learn(s, seat, card)


@kernel
def draw_unseen(s: Record, seat: int) -> None:
    """Move the top of the pick-up pile to a hand; everybody knows the card if the pile was turned over [R-48]."""
    card = pop_stock(s)
    gain(s, seat, card)
    if s.recycles > 0:
        learn(s, seat, card)


@kernel
def pop_stock(s: Record) -> int:
    """Remove and return the next card of the pick-up pile."""
    if s.stock_n == 0:
        _turn_over(s)
    s.stock_n -= 1
    card = int(s.stock[s.stock_n])
    s.stock[s.stock_n] = 0
    return card


@kernel
def _turn_over(s: Record) -> None:
    """Turn the discard pile into the pick-up pile, oldest discard first, without shuffling [R-48]."""
    size = s.discard_n - s.opt.recycle_keeps_top
    for i in range(size):
        card = s.discard[size - 1 - i]
        s.stock[i] = card
        s.discarded[card] -= 1
    for i in range(s.discard_n):
        s.discard[i] = s.discard[size] if i < s.opt.recycle_keeps_top else 0
    s.stock_n = size
    s.discard_n = s.opt.recycle_keeps_top
    s.recycles += 1


@kernel
def push_discard(s: Record, card: int) -> None:
    """Put a card on top of the discard pile."""
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.discarded[card] += 1


@kernel
def gain(s: Record, seat: int, card: int) -> None:
    """Add a card to a hand."""
    s.hands[seat, card] += 1
    s.hand_n[seat] += 1


@kernel
def lose(s: Record, seat: int, card: int) -> None:
    """Remove a card from a hand; everybody sees it."""
    s.hands[seat, card] -= 1
    s.hand_n[seat] -= 1
    s.public[seat, card] = max(0, s.public[seat, card] - 1)
    for observer in range(s.seats):
        s.known[observer, seat, card] = max(0, s.known[observer, seat, card] - 1)


@kernel
def learn(s: Record, seat: int, card: int) -> None:
    """Note that everybody knows a card of this hand."""
    s.public[seat, card] += 1
    for observer in range(s.seats):
        if observer != seat:
            s.known[observer, seat, card] += 1
