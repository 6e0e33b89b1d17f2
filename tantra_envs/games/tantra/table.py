"""What happens at a table in every phase: cards move, everybody sees what is open, and a seat is to decide."""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.state import Record
from .state import Phase


@kernel
def go_to(s: Record, phase: Phase) -> None:
    """The seat in turn decides next."""
    s.phase = phase
    s.seat = s.turn


@kernel
def take_discard(s: Record, seat: int) -> None:
    """The top discard goes to a hand, seen by all."""
    s.discard_n -= 1
    card = int(s.discard[s.discard_n])
    s.discard[s.discard_n] = 0
    s.discarded[card] -= 1
    gain(s, seat, card)
    learn(s, seat, card)


@kernel
def draw_unseen(s: Record, seat: int) -> None:
    """The top of the pick-up pile goes to a hand; everybody knows it if the pile was turned over [R-48]."""
    card = pop_stock(s)
    gain(s, seat, card)
    if s.recycles > 0:
        learn(s, seat, card)


@kernel
def pop_stock(s: Record) -> int:
    """The next card of the pick-up pile."""
    if s.stock_n == 0:
        _turn_over(s)
    s.stock_n -= 1
    card = int(s.stock[s.stock_n])
    s.stock[s.stock_n] = 0
    return card


@kernel
def _turn_over(s: Record) -> None:
    """The discard pile becomes the pick-up pile, oldest discard first, without shuffling [R-48]."""
    size = s.discard_n - s.opt.recycle_keeps_top
    for i in range(size):
        card = s.discard[size - 1 - i]
        s.stock[i] = card
        s.discarded[card] -= 1
    kept = s.discard[s.discard_n - 1]
    for i in range(s.discard_n):
        s.discard[i] = 0
    if s.opt.recycle_keeps_top:
        s.discard[0] = kept
    s.stock_n = size
    s.discard_n = s.opt.recycle_keeps_top
    s.recycles += 1


@kernel
def push_discard(s: Record, card: int) -> None:
    """A card goes on top of the discard pile."""
    s.discard[s.discard_n] = card
    s.discard_n += 1
    s.discarded[card] += 1


@kernel
def gain(s: Record, seat: int, card: int) -> None:
    """A card comes to a hand."""
    s.hands[seat, card] += 1
    s.hand_n[seat] += 1


@kernel
def lose(s: Record, seat: int, card: int) -> None:
    """A card leaves the hand for all to see."""
    s.hands[seat, card] -= 1
    s.hand_n[seat] -= 1
    s.public[seat, card] = max(0, s.public[seat, card] - 1)
    for observer in range(s.seats):
        s.known[observer, seat, card] = max(0, s.known[observer, seat, card] - 1)


@kernel
def learn(s: Record, seat: int, card: int) -> None:
    """Everybody knows that a card came to this hand."""
    s.public[seat, card] += 1
    for observer in range(s.seats):
        if observer != seat:
            s.known[observer, seat, card] += 1
