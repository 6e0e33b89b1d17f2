"""The deal and the stock: kernels that clear the table, begin a round and draw a card [KN-11, KN-12, KN-16]."""

from __future__ import annotations

from ...core.compiled.jit import kernel, leaf
from ...core.rng import shuffle
from ...core.state import Record
from .material import CARDS, COPIES, DEALT, DEALT_FIRST, HAND_KINDS, KINDS, NATURALS, POT, RANKS, STAGE_SCORES
from .melds import team_of
from .state import MOST_DECKS, Phase, Taken

# [The Deal]


@kernel
def clear_game(s: Record) -> None:
    """Reset totals and decks for a new game. `opt`, `seats` and the random stream do not change."""
    for team in range(s.opt.teams):
        s.score[team] = s.opt.start_scores[team]
        s.last_scores[team] = 0
        s.winner[team] = 0
    for seat in range(s.seats):
        s.rewards[seat] = 0.0
    s.last_turns = 0
    s.last_out = -2
    s.round_no = 0
    s.plies = 0
    s.over = 0
    s.truncated = 0
    s.decks_n = 0
    for i in range(MOST_DECKS):
        for k in range(CARDS):
            s.decks[i, k] = 0


@kernel
def begin_round(s: Record) -> None:
    """Gather, shuffle and deal the cards, and lay the pots that were dealt [KN-11, KN-12]."""
    clear_round(s)
    if s.decks_n > 0:
        _next_deck(s)
    else:
        fill_stock(s)
        shuffle(s.rng, s.stock, CARDS)
    hand_out(s)


@kernel
def clear_round(s: Record) -> None:
    """Remove all cards and formations, and set the stages by the totals [KN-40]."""
    for i in range(CARDS):
        s.stock[i] = 0
        s.pile[i] = 0
    s.stock_n = 0
    s.pile_n = 0
    for seat in range(s.seats):
        s.hand_n[seat] = 0
        for kind in range(HAND_KINDS):
            s.hand[seat, kind] = 0
            s.known[seat, kind] = 0
    for team in range(s.opt.teams):
        _clear_team(s, team)
    s.turn = 0
    s.reshuffles = 0
    s.block_left = 0
    clear_turn(s)


@kernel
def _clear_team(s: Record, team: int) -> None:
    for kind in range(NATURALS):
        s.nat[team, kind] = 0
    for r in range(RANKS):
        s.sw[team, r] = 0
        s.ar[team, r] = 0
        s.n[team, r] = 0
        s.w[team, r] = 0
    s.suit_lo[team] = -1
    s.suit_hi[team] = -1
    s.suit_art[team] = 0
    s.pots[team] = 0
    s.opened[team] = 0
    s.unlocked[team] = 0
    s.opener[team] = -1
    s.paid[team] = 0
    s.stage[team] = stage_of(int(s.score[team]))


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
        for _ in range(COPIES[s.opt.suit_rule, kind]):
            s.stock[n] = kind
            n += 1
    s.stock_n = n


@kernel
def _next_deck(s: Record) -> None:
    """Make the first given deck the stock, and move the others up."""
    for k in range(CARDS):
        s.stock[k] = s.decks[0, k]
        for i in range(1, MOST_DECKS):
            s.decks[i - 1, k] = s.decks[i, k]
        s.decks[MOST_DECKS - 1, k] = 0
    s.stock_n = CARDS
    s.decks_n -= 1


@kernel
def hand_out(s: Record) -> None:
    """Deal 15 cards to the seat left of the dealer and 14 to the others, then replace pots [KN-11, KN-12]."""
    first = (s.dealer + 1) % s.seats
    for i in range(s.seats):
        seat = (first + i) % s.seats
        for _ in range(DEALT_FIRST if i == 0 else DEALT):
            s.stock_n -= 1
            _receive(s, seat, int(s.stock[s.stock_n]))
            s.stock[s.stock_n] = 0
    for i in range(s.seats):
        seat = (first + i) % s.seats
        while s.hand_n[seat] < (DEALT_FIRST if i == 0 else DEALT):
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
