"""Resampling of the cards hidden from a seat: unknown cards of other hands, the stock, decks for later rounds.

Pots are never in a hand (KN-12), so they stay in the stock. A seat that began an initial meld or a formation with a
taken card must be able to finish it. Other hands of this seat are rejected: the first tries are even, later ones
prefer some formations.
"""

from __future__ import annotations

from ...core.compiled.jit import kernel
from ...core.decks import drop_decks
from ...core.observers import collect, complete, knows_hand
from ...core.rng import below, seed_stream, shuffle, sort
from ...core.state import Record
from .material import ARTIFACT, GOLD, NATURALS, POT, RANKS, SWORD, VARIANTS
from .melds import turn_seat
from .opening import possible
from .state import Phase

EVEN_TRIES = 20  # tries before some formations are preferred


@kernel
def redeal(s: Record, seed: int, seat: int) -> None:
    """Resample `s` from `seed` among the tables that look the same to `seat`, or to ALL_SEATS.

    Sizes are public. So the unknown cards are collected in `s.stock` and dealt back to their places.
    """
    seed_stream(s.rng, seed)
    drop_decks(s)
    player = turn_seat(s)
    tries = 0
    while True:
        _collect(s, seat)
        sort(s.stock, s.stock_n)  # sorting removes the true order before the shuffle
        pots = _pots_last(s)
        shuffle(s.rng, s.stock, s.stock_n - pots)
        if tries >= EVEN_TRIES:
            _lean(s, s.stock_n - pots)
        _deal_back(s, seat, player, pots)
        tries += 1
        if knows_hand(seat, player) or possible(s):
            break
    shuffle(s.rng, s.stock, s.stock_n)


@kernel
def _collect(s: Record, seat: int) -> None:
    """Move all cards unknown to `seat` to the end of `s.stock`. All have seen a card that was just taken [KN-17]."""
    if s.phase == Phase.PICKUP:
        s.known[s.seat, s.top_taken] += 1
    for other in range(s.seats):
        if not knows_hand(seat, other):
            s.stock_n = collect(s.hand[other], s.known[other], s.stock, int(s.stock_n))
    if s.phase == Phase.PICKUP:
        s.known[s.seat, s.top_taken] -= 1


@kernel
def _pots_last(s: Record) -> int:
    """Return the number of pots, which are last among the sorted cards."""
    pots = 0
    while pots < s.stock_n and s.stock[s.stock_n - 1 - pots] == POT:
        pots += 1
    return pots


@kernel
def _lean(s: Record, n: int) -> None:
    """Move the cards of three random wishes (ranks, golds or wild cards) to the end of the first n cards.

    The seat in turn gets its cards from there.
    """
    for _ in range(3):
        wish = below(s.rng, RANKS + 2)
        last = n
        for i in range(n - 1, -1, -1):
            if _wished(int(s.stock[i]), wish):
                last -= 1
                kind = s.stock[i]
                s.stock[i] = s.stock[last]
                s.stock[last] = kind


@kernel
def _wished(kind: int, wish: int) -> bool:
    """Return whether the card has the rank `wish`; RANKS is for gold cards, RANKS + 1 for wild cards."""
    if wish < RANKS:
        return kind // VARIANTS == wish and kind < NATURALS
    if wish == RANKS:
        return kind < NATURALS and kind % VARIANTS == GOLD
    return kind in (SWORD, ARTIFACT)


@kernel
def _deal_back(s: Record, seat: int, player: int, pots: int) -> None:
    """Fill the hands from the end of the cards before the pots, starting with the seat in turn."""
    n = int(s.stock_n) - pots
    for i in range(s.seats):
        other = (player + i) % s.seats
        if not knows_hand(seat, other):
            n = complete(s.hand[other], int(s.hand_n[other]), s.stock, n)
    for i in range(pots):
        s.stock[n + i] = POT
    for i in range(n + pots, s.stock_n):
        s.stock[i] = 0
    s.stock_n = n + pots
