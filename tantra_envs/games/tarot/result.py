"""The end of a hand and of the game: net scores and rewards (T-70 to T-73)."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .dealing import deal_hand
from .state import Episode, Phase, Reward


@kernel
def end_hand(s: Record) -> None:
    """Score the hand: the seat with most points gets the excess over the second; then deal or end [T-70]."""
    first, gain = _net_score(s)
    s.totals[first] += gain
    s.scored[s.hand_no] = gain
    s.scorer[s.hand_no] = first if gain > 0 else 0
    s.hand_no += 1
    if s.opt.reward == Reward.SCORE:
        _pay(s, first, gain / 100.0)
    if s.totals[first] >= s.opt.target or s.opt.episode == Episode.HAND:  # T-72
        end_game(s, first if gain > 0 else -1)
    elif s.hand_no >= s.opt.max_hands:  # T-73
        end_game(s, -1)
        s.truncated = 1
    else:
        s.dealer = (s.dealer + 1) % s.seats
        deal_hand(s)


@kernel
def _net_score(s: Record) -> Any:
    """Return the seat with most points and its excess over the second; 0 on a tie [T-71]."""
    first = 0
    for seat in range(1, s.seats):
        if s.points[seat] > s.points[first]:
            first = seat
    second = -1
    for seat in range(s.seats):
        if seat != first:
            second = max(second, int(s.points[seat]))
    return first, int(s.points[first]) - second


@kernel
def end_game(s: Record, winner: int) -> None:
    """End the game; `winner` = -1 means that nobody wins."""
    s.over = 1
    s.phase = Phase.OVER
    s.winner = winner
    if winner >= 0 and s.opt.reward == Reward.WIN:
        _pay(s, winner, 1.0)


@kernel
def _pay(s: Record, seat: int, amount: float) -> None:
    """Reward one seat, at the cost of the others in equal parts."""
    for other in range(s.seats):
        s.rewards[other] = amount if other == seat else -amount / (s.seats - 1)
