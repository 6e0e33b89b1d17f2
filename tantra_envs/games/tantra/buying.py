"""The beginning of a turn: the other seats may buy the fresh discard, then the seat in turn takes a card.

The phases ASK, DRAW, REPLY and PEEK are pairs of kernels `x_legal` / `x`. Each phase leads to another one or to MAIN.
"""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .actions import ALLOW, BUY, DRAW_STOCK, HAND_OVER, KEEP, PASS, TAKE_DISCARD
from .card_moves import draw_unseen, gain, go_to, learn, pop_stock, take_discard
from .options import BuyOrder
from .sets.tabled import max_buys
from .state import Phase


@kernel
def begin_turn(s: Record) -> None:
    """Begin a turn: ask the other seats about the fresh discard, or let the seat in turn choose first [R-41, R-47]."""
    s.declined = 0
    if s.opt.buy_order == BuyOrder.REQUESTS_FIRST:
        ask_from(s, 1)
    else:
        go_to(s, Phase.DRAW)


# [Buying]: the other seats, nearest to the left first


@kernel
def ask_from(s: Record, ahead: int) -> None:
    """Ask the next seat that may buy, from `ahead` seats to the left on; without one, the seat in turn draws [R-42]."""
    for j in range(ahead, s.seats):
        seat = (s.turn + j) % s.seats
        if may_buy(s, seat):
            s.phase = Phase.ASK
            s.seat = seat
            return
    if s.declined:
        s.declined = 0
        draw_unseen(s, int(s.turn))
        go_to(s, Phase.MAIN)
    else:
        go_to(s, Phase.DRAW)


@kernel
def may_buy(s: Record, seat: int) -> bool:
    """Return whether a seat may buy the fresh discard [R-40, R-41, R-49]."""
    if s.laid_turn[seat] >= 0 or s.buys_used[seat] >= max_buys(s) or s.discard_n == 0:
        return False
    if s.turns == 0 and s.opt.buy_opening_card == 0:
        return False
    return bool(s.stock_n >= 2 or s.stock_n + s.discard_n - 1 - s.opt.recycle_keeps_top >= 2)


@kernel
def ask_legal(mask: Any) -> None:
    """Allow PASS and BUY: both are always legal."""
    mask[PASS] = 1
    mask[BUY] = 1


@kernel
def ask(s: Record, action: int) -> None:
    """Pass or ask to buy, for the seat that is asked."""
    if action == PASS:
        ask_from(s, (s.seat - s.turn + s.seats) % s.seats + 1)
        return
    s.requester = s.seat
    if s.declined:
        _sell(s)
    else:
        go_to(s, Phase.REPLY)


# [The turn]: take one card


@kernel
def draw_legal(s: Record, mask: Any) -> None:
    """Allow the ways to take a card at the start of the turn [R-46, R-49]."""
    mask[DRAW_STOCK] = s.stock_n >= 1 or s.discard_n - s.opt.recycle_keeps_top >= 1
    mask[TAKE_DISCARD] = s.discard_n > 0


@kernel
def draw(s: Record, action: int) -> None:
    """Take the discard or a card of the pick-up pile, unless another seat may buy first [R-46]."""
    if action == TAKE_DISCARD:
        take_discard(s, int(s.turn))
        go_to(s, Phase.MAIN)
    else:
        s.declined = 1
        ask_from(s, 1 if s.opt.buy_order == BuyOrder.TURN_PLAYER_FIRST else int(s.seats))


# [Buying]: the three choices of the seat in turn


@kernel
def reply_legal(mask: Any) -> None:
    """Allow the answers to a seat that wants to buy [R-43]."""
    mask[TAKE_DISCARD] = 1  # "No" means to take the card
    mask[ALLOW] = 1


@kernel
def reply(s: Record, action: int) -> None:
    """Allow the sale, or refuse it and take the card [R-43]."""
    if action == ALLOW:
        _sell(s)
    else:
        s.refusals += 1
        s.requester = -1
        take_discard(s, int(s.turn))
        go_to(s, Phase.MAIN)


@kernel
def _sell(s: Record) -> None:
    """Give the discard to the buyer and show the top of the pick-up pile to the seat in turn [R-44]."""
    s.declined = 0
    s.sales += 1
    s.buys_used[s.requester] += 1
    take_discard(s, int(s.requester))
    s.peeked = pop_stock(s)
    s.peek_public = s.recycles > 0
    go_to(s, Phase.PEEK)


@kernel
def peek_legal(mask: Any) -> None:
    """Allow to keep the peeked card or to hand it over [R-44]."""
    mask[KEEP] = 1
    mask[HAND_OVER] = 1


@kernel
def peek(s: Record, action: int) -> None:
    """Give the peeked card to one of the two seats and the next card, unseen, to the other [R-44]."""
    buyer, turn, card = int(s.requester), int(s.turn), int(s.peeked)
    looked_at = turn if action == KEEP else buyer
    gain(s, looked_at, card)
    if s.peek_public:
        learn(s, looked_at, card)
    elif looked_at == buyer:
        s.known[turn, buyer, card] += 1
    s.peeked = -1
    s.peek_public = 0
    s.requester = -1
    draw_unseen(s, buyer if action == KEEP else turn)
    go_to(s, Phase.MAIN)
