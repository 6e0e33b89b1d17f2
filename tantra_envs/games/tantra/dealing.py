"""The beginning of games and rounds: the display and wild piles, and the deal."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.decks import take_deck, turn_over
from ...core.rng import shuffle
from ...core.state import Record
from .buying import begin_turn
from .card_moves import push_discard
from .material import JOKER, NATURALS, NO_WILD_CARDS, RANKS, SMALL_DECKS, WILD
from .sets.tabled import has_flag
from .state import clear, clear_round


@kernel
def clear_game(s: Record) -> None:
    """Empty the table for a new game; both piles return to their first order [R-03]."""
    clear(s)
    s.last.out = -1
    for i in range(len(s.display_pile)):
        s.display_pile[i] = s.opt.displays[i]
    for i in range(len(s.wild_pile)):
        s.wild_pile[i] = s.opt.wilds[i]


@kernel
def put_first(pile: Any, n: int, card: int) -> None:
    """Rotate a pile until a card that is in it comes first."""
    while pile[0] != card:
        first = pile[0]
        for i in range(n - 1):
            pile[i] = pile[i + 1]
        pile[n - 1] = first


@kernel
def begin_round(s: Record) -> None:
    """Turn up a Display Card and, unless it has No Wild Cards, a Wild Card; shuffle and deal [R-03, R-05]."""
    turn_up(s)
    clear_round(s)
    size = fill_deck(s)
    if s.decks_n > 0:
        take_deck(s, s.stock, size)
    else:
        shuffle(s.rng, s.stock, size)
    for i in range(size):
        if s.stock[i] < NATURALS and s.stock[i] % RANKS == s.wild:
            s.stock[i] = WILD
    _hand_out(s, size)
    s.turn = (s.dealer + 1) % s.seats
    begin_turn(s)


@kernel
def turn_up(s: Record) -> None:
    """Turn up the next cards of both piles, which are cycled and not reshuffled [R-03]."""
    s.display = s.display_pile[s.display_at]
    s.display_at = (s.display_at + 1) % s.opt.displays_n
    s.displays_seen = min(int(s.displays_seen) + 1, int(s.opt.displays_n))
    s.wild = -1
    if not has_flag(s, NO_WILD_CARDS):
        s.wild = s.wild_pile[s.wild_at]
        s.wild_at = (s.wild_at + 1) % s.opt.wilds_n
        s.wilds_seen = min(int(s.wilds_seen) + 1, int(s.opt.wilds_n))


@kernel
def fill_deck(s: Record) -> int:
    """Fill `s.stock` with all cards in ascending order, and return their number [R-02, R-07]."""
    n = 0
    for card in range(NATURALS + 1):
        copies = int(s.opt.n_packs) * int(s.opt.jokers_per_pack if card == JOKER else 1)
        if s.opt.deck_cards:
            copies = int(SMALL_DECKS[s.opt.deck_cards, card])
        for _ in range(copies):
            s.stock[n] = card
            n += 1
    return n


@kernel
def _hand_out(s: Record, size: int) -> None:
    """Deal one at a time from the front of `s.stock`, turn up the first discard, reverse the rest [R-05]."""
    dealt = s.opt.hand_size * s.seats
    for i in range(dealt):
        seat = (s.dealer + 1 + i) % s.seats
        s.hands[seat, s.stock[i]] += 1
        s.hand_n[seat] += 1
    push_discard(s, int(s.stock[dealt]))
    turn_over(s.stock, size, dealt + 1)
    s.stock_n = size - dealt - 1
