"""The beginning of games and rounds: the display and wild piles, and the deal."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.rng import shuffle
from ...core.state import Record
from .building import end_build
from .buying import begin_turn
from .material import JOKER, MAX_CARDS, MAX_SETS, NATURALS, NO_WILD_CARDS, PLACES, RANKS, TYPES, WILD
from .sets import has_flag
from .state import Ending, Role, SetType
from .table import push_discard


@kernel
def clear_game(s: Record) -> None:
    """Clear the game, but not `opt`, `seats` and the random stream; both piles return to their first order [R-03]."""
    for i in range(len(s.display_pile)):
        s.display_pile[i] = s.opt.displays[i]
    for i in range(len(s.wild_pile)):
        s.wild_pile[i] = s.opt.wilds[i]
    s.displays_seen = 0
    s.display_at = 0
    s.wilds_seen = 0
    s.wild_at = 0
    for seat in range(s.seats):
        s.scores[seat] = 0
        s.rewards[seat] = 0.0
    s.plies = 0
    s.game_turns = 0
    s.round = 0
    s.over = 0
    s.truncated = 0
    for k in range(s.decks_n):
        for i in range(MAX_CARDS):
            s.decks[k, i] = 0
    s.decks_n = 0
    _forget_last_round(s)


@kernel
def _forget_last_round(s: Record) -> None:
    last = s.last
    last.out = -1
    last.ending = Ending.NOT_ENDED
    last.display = 0
    last.wild = 0
    last.turns = 0
    last.sales = 0
    last.refusals = 0
    for seat in range(s.seats):
        last.scores[seat] = 0
        last.hand_points[seat] = 0
        last.laid_turn[seat] = 0


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
        _take_given_deck(s, size)
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
def clear_round(s: Record) -> None:
    """Clear the hands, the piles, the table and the notes of the round."""
    for i in range(MAX_CARDS):
        s.stock[i] = 0
        s.discard[i] = 0
    for card in range(TYPES):
        s.tabled[card] = 0
        s.discarded[card] = 0
    for seat in range(s.seats):
        for card in range(TYPES):
            s.hands[seat, card] = 0
            s.public[seat, card] = 0
            for observer in range(s.seats):
                s.known[observer, seat, card] = 0
        s.hand_n[seat] = 0
        s.buys_used[seat] = 0
        s.laid_turn[seat] = -1
        for slot in range(MAX_SETS):
            _clear_set(s.sets[seat * MAX_SETS + slot])
    s.stock_n = 0
    s.discard_n = 0
    s.turns = 0
    s.recycles = 0
    s.sales = 0
    s.refusals = 0
    s.declined = 0
    s.requester = -1
    s.peeked = -1
    s.peek_public = 0
    s.can_lay = 0
    end_build(s)


@kernel
def _clear_set(lies: Any) -> None:
    if lies.kind != SetType.NONE:
        for i in range(PLACES):
            lies.fill[i] = Role.EMPTY
        lies.kind = SetType.NONE
        lies.rank = 0
        lies.suit = 0
        lies.lo = 0
        lies.hi = 0
        lies.size = 0


@kernel
def fill_deck(s: Record) -> int:
    """Fill `s.stock` with all cards in ascending order, and return their number [R-02]."""
    n = 0
    for card in range(NATURALS + 1):
        copies = s.opt.n_packs * (s.opt.jokers_per_pack if card == JOKER else 1)
        for _ in range(copies):
            s.stock[n] = card
            n += 1
    return n


@kernel
def _take_given_deck(s: Record, size: int) -> None:
    """Move the next given deck to `s.stock`, and move the other given decks up."""
    for i in range(size):
        s.stock[i] = s.decks[0, i]
        for k in range(s.decks_n - 1):
            s.decks[k, i] = s.decks[k + 1, i]
        s.decks[s.decks_n - 1, i] = 0
    s.decks_n -= 1


@kernel
def _hand_out(s: Record, size: int) -> None:
    """Deal one at a time from the front of `s.stock`, turn up the first discard, reverse the rest [R-05]."""
    dealt = s.opt.hand_size * s.seats
    for i in range(dealt):
        seat = (s.dealer + 1 + i) % s.seats
        s.hands[seat, s.stock[i]] += 1
        s.hand_n[seat] += 1
    push_discard(s, int(s.stock[dealt]))
    rest = size - dealt - 1
    for i in range(size):  # `discard` holds the rest while it is reversed
        if i < rest:
            s.discard[1 + i] = s.stock[size - 1 - i]
    for i in range(size):
        s.stock[i] = s.discard[1 + i] if i < rest else 0
    for i in range(rest):
        s.discard[1 + i] = 0
    s.stock_n = rest
