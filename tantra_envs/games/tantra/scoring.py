"""[Scoring]: the points of every seat for a round, and the rewards."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel
from ...core.state import Record
from .options import CutoffScoring, Reward
from .sets.search.laying import deficit
from .sets.tabled import hand_points
from .state import Ending


@kernel
def score_round(s: Record, out: int) -> None:
    """Add the points of the round to every seat; `out` went out, -1 = the round was truncated [R-50 to R-52]."""
    last = s.last
    last.out = out
    last.ending = _ending(s, out)
    last.display = s.display
    last.wild = s.wild
    last.turns = s.turns + (out >= 0)
    last.sales = s.sales
    last.refusals = s.refusals
    for seat in range(s.seats):
        points = hand_points(s, seat)
        score = points if s.opt.low_score_wins else -points
        if seat == out:
            score = int(s.opt.going_out_points[last.ending - Ending.LATER])
        elif out < 0 and s.opt.cutoff_scoring == CutoffScoring.VOID:
            score = 0
        s.scores[seat] += score
        last.scores[seat] = score
        last.hand_points[seat] = points
        last.laid_turn[seat] = s.laid_turn[seat]


@kernel
def _ending(s: Record, out: int) -> int:
    """Return how the round ended: out later, out at once, Grand Slam, or truncated [R-50, R-51]."""
    if out < 0:
        return Ending.CUT_OFF
    if s.laid_turn[out] < s.turns:
        return Ending.LATER
    for seat in range(s.seats):
        if seat != out and s.laid_turn[seat] >= 0:
            return Ending.AT_ONCE
    return Ending.GRAND_SLAM


@kernel
def pay_scores(s: Record, scores: Any) -> None:
    """Add the own score, or its difference from the mean of the others, to the rewards."""
    if s.opt.reward not in (Reward.SCORE, Reward.ZERO_SUM):
        return
    total = 0
    for seat in range(s.seats):
        total += scores[seat]
    for seat in range(s.seats):
        value = float(scores[seat])
        if s.opt.reward == Reward.ZERO_SUM:
            value -= (total - scores[seat]) / (s.seats - 1)
        s.rewards[seat] += (-value if s.opt.low_score_wins else value) / s.opt.reward_scale


@kernel
def pay_places(s: Record) -> None:
    """Add the place in the game, or the win, to the rewards; ties are shared [R-55]."""
    if s.opt.reward not in (Reward.RANK, Reward.WIN):
        return
    winners = 0
    for seat in range(s.seats):
        winners += _ahead(s, seat, 1) == 0
    for seat in range(s.seats):
        better = _ahead(s, seat, 1)
        if s.opt.reward == Reward.WIN:
            s.rewards[seat] += (1.0 / winners if better == 0 else 0.0) - 1.0 / s.seats
        else:
            s.rewards[seat] += float(_ahead(s, seat, -1) - better) / (s.seats - 1)


@kernel
def _ahead(s: Record, seat: int, sign: int) -> int:
    """Return the number of seats with a better total (`sign` = 1), or a worse one (-1)."""
    count, better = 0, -sign if s.opt.low_score_wins else sign
    for other in range(s.seats):
        count += better * (s.scores[other] - s.scores[seat]) > 0
    return count


@kernel
def pay_potentials(s: Record, sign: int) -> None:
    """Subtract `sign` times the weighted deficit of every seat that has not laid down from its reward."""
    for seat in range(s.seats):
        if s.laid_turn[seat] < 0:
            s.rewards[seat] -= sign * s.opt.shaping_coef * deficit(s, seat)
