"""The end of a round: its scores and rewards, then the next round or the end of the game."""

from __future__ import annotations

from typing import Any

from ...core.compiled.jit import kernel, leaf
from ...core.state import Record
from .dealing import begin_round
from .material import HAND_KINDS
from .melds import hand_points, table_points, team_of
from .state import Episode, Phase, Reward

# [Scoring]


@kernel
def end_round(s: Record, actor: int, out: int, doubled: bool) -> None:
    """Score the round, give rewards, and deal again or end the game; `out` is the seat that went out, or -1."""
    for team in range(s.opt.teams):
        s.last_scores[team] = _round_score(s, team, out, doubled)
        s.score[team] += s.last_scores[team]
    s.last_out = out
    s.last_turns = s.turn
    s.round_no += 1
    if s.opt.reward != Reward.WIN:
        _pay_round(s)
    if s.opt.episode == Episode.ROUND:
        _end_game(s, actor, out < 0)
    elif _sole_leader(s) or s.round_no >= s.opt.max_rounds or moves_used(s):
        _end_game(s, actor, not _sole_leader(s))
    else:
        s.dealer = (s.dealer + 1) % s.seats  # KN-74
        begin_round(s)


@leaf
def moves_used(s: Record) -> bool:
    """Return whether the game has reached its limit of actions [KN-79]."""
    return bool(s.opt.max_moves > 0 and s.plies >= s.opt.max_moves)


@kernel
def _round_score(s: Record, team: int, out: int, doubled: bool) -> int:
    """Return the table points less the points in the hands of the team [KN-62, KN-70, KN-71, KN-73]."""
    points = table_points(s, team)
    for seat in range(team, s.seats, s.opt.teams):
        for kind in range(HAND_KINDS):
            points -= int(s.hand[seat, kind]) * hand_points(s, kind)
    if out >= 0 and team_of(s, out) == team:
        points += int(s.opt.go_out_bonus)
    return 2 * points if doubled else points


@leaf
def _highest(s: Record, scores: Any) -> int:
    """Return the highest score of a team."""
    best = int(scores[0])
    for team in range(1, s.opt.teams):
        best = max(best, int(scores[team]))
    return best


@kernel
def _sole_leader(s: Record) -> bool:
    """Return whether one team alone has the highest total, and it reaches the target [KN-75]."""
    best, leaders = _highest(s, s.score), 0
    for team in range(s.opt.teams):
        leaders += s.score[team] == best
    return bool(best >= s.opt.target_score and leaders == 1)


@kernel
def _end_game(s: Record, actor: int, truncated: bool) -> None:
    """End the game: the highest total wins, or the highest score of a single round [KN-75 to KN-78].

    Ties share the win.
    """
    s.over = 1
    s.truncated = truncated
    s.phase = Phase.OVER
    s.seat = actor
    s.asker = -1
    scores = s.last_scores if s.opt.episode == Episode.ROUND else s.score
    best, winners = _highest(s, scores), 0
    for team in range(s.opt.teams):
        s.winner[team] = scores[team] == best
        winners += int(s.winner[team])
    if s.opt.reward == Reward.WIN:
        teams = int(s.opt.teams)
        for seat in range(s.seats):
            share = s.winner[team_of(s, seat)] / winners
            s.rewards[seat] = (share - 1.0 / teams) * teams / (teams - 1)


# [Rewards]


@kernel
def _pay_round(s: Record) -> None:
    """Add the part of the round's score that was not rewarded yet."""
    total = 0
    for team in range(s.opt.teams):
        total += s.last_scores[team] - s.paid[team]
    for team in range(s.opt.teams):
        _pay(s, team, int(s.last_scores[team] - s.paid[team]), total)


@kernel
def pay_table(s: Record) -> None:
    """With `dense`, add the change of the points on the table in this step."""
    total = 0
    for team in range(s.opt.teams):
        total += table_points(s, team) - s.paid[team]
    for team in range(s.opt.teams):
        points = table_points(s, team)
        _pay(s, team, points - int(s.paid[team]), total)
        s.paid[team] = points


@kernel
def _pay(s: Record, team: int, own: int, total: int) -> None:
    """Add points of a team to the rewards of its seats; `total` is the sum over all teams."""
    value = float(own)
    if s.opt.reward != Reward.SCORE:
        value -= (total - own) / (s.opt.teams - 1)
    for seat in range(team, s.seats, s.opt.teams):
        s.rewards[seat] += value / s.opt.reward_scale
