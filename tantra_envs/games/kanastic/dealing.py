"""The deal and the stock: kernels that clear the table, begin a round and draw a card [KN-11, KN-12, KN-16]."""

from __future__ import annotations

from ...core.compiled.jit import kernel, leaf
from ...core.decks import take_deck
from ...core.rng import shuffle
from ...core.state import Record
from .material import CARDS, KINDS, POT, SMALL_SIZES, SPECIALS, STAGE_SCORES
from .melds import copies, team_of
from .state import Phase, Taken, clear, clear_round

# [The Deal]


@kernel
def clear_game(s: Record) -> None:
    """Empty the table for a new game. `opt`, `seats` and the random stream do not change."""
    clear(s)
    for team in range(s.opt.teams):
        s.score[team] = s.opt.start_scores[team]


@kernel
def begin_round(s: Record) -> None:
    """Gather, shuffle and deal the cards, lay the pots that were dealt, and set the stages [KN-11, KN-12, KN-40]."""
    clear_round(s)
    for team in range(s.opt.teams):
        s.stage[team] = stage_of(int(s.score[team]))
    if s.decks_n > 0:
        s.stock_n = cards_in_deck(s)
        take_deck(s, s.stock, s.stock_n)
    else:
        fill_stock(s)
        shuffle(s.rng, s.stock, s.stock_n)
    hand_out(s)


@leaf
def stage_of(score: int) -> int:
    """Return the stage 1 to 4 of a total [KN-40]."""
    return 1 + int(score >= STAGE_SCORES[0]) + int(score >= STAGE_SCORES[1]) + int(score >= STAGE_SCORES[2])


@kernel
def clear_turn(s: Record) -> None:
    """Reset the fields of the turn: nothing is taken, laid or asked yet."""
    s.taken = Taken.NOTHING
    s.top_taken = -1
    s.pick = -1
    s.asked = 0
    s.answer = -1
    s.asker = -1
    s.open_pts = 0
    s.open_wild = 0


@kernel
def fill_stock(s: Record) -> None:
    """Put all cards into the stock, ascending [KN-90]."""
    n = 0
    for kind in range(KINDS):
        for _ in range(copies(s, kind)):
            s.stock[n] = kind
            n += 1
    s.stock_n = n


@leaf
def cards_in_deck(s: Record) -> int:
    """Return the number of cards: 108 with four Shields, fewer in a smaller deck [KN-02, KN-04]."""
    if s.opt.deck_cards:
        return int(SMALL_SIZES[s.opt.deck_cards])
    return int(CARDS - SPECIALS[2] + s.opt.shields)


@kernel
def hand_out(s: Record) -> None:
    """Deal `dealt` cards to each seat, one more to the seat left of the dealer, then replace pots [KN-11, KN-12]."""
    first = (s.dealer + 1) % s.seats
    for i in range(s.seats):
        seat = (first + i) % s.seats
        for _ in range(s.opt.dealt + (i == 0)):
            s.stock_n -= 1
            _receive(s, seat, int(s.stock[s.stock_n]))
            s.stock[s.stock_n] = 0
    for i in range(s.seats):
        seat = (first + i) % s.seats
        while s.hand_n[seat] < s.opt.dealt + (i == 0):
            draw_card(s, seat)
    s.phase = Phase.FIRST
    s.seat = first


@leaf
def _receive(s: Record, seat: int, kind: int) -> None:
    """Put a card into the hand; lay a pot on the table at once [KN-12]."""
    if kind == POT:
        s.pots[team_of(s, seat)] += 1
    else:
        s.hand[seat, kind] += 1
        s.hand_n[seat] += 1


# [The stock]


@kernel
def draw_card(s: Record, seat: int) -> None:
    """Draw one card from the stock; lay and replace pots [KN-12]."""
    kind = POT
    while kind == POT:
        if s.stock_n == 0:
            _turn_over(s)
        if s.stock_n == 0:
            return
        s.stock_n -= 1
        kind = int(s.stock[s.stock_n])
        s.stock[s.stock_n] = 0
        _receive(s, seat, kind)
        if s.stock_n == 0:
            _turn_over(s)


@kernel
def _turn_over(s: Record) -> None:
    """Shuffle the discard stack and make it the stock [KN-16]."""
    if s.pile_n == 0:
        return
    shuffle(s.rng, s.pile, s.pile_n)
    for i in range(s.pile_n):
        s.stock[i] = s.pile[i]
        s.pile[i] = 0
    s.stock_n = s.pile_n
    s.pile_n = 0
    s.reshuffles += 1
