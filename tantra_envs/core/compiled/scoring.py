"""What a table that was played on is worth to each team: what a match scores there, and little more."""

from __future__ import annotations

from typing import Any

from .jit import entry_point, kernel

TIE = 1e-6  # of a reward or of how far a team is ahead: it decides only where as many others are beaten


@entry_point
def score_rows(rewards: Any, standings: Any, speakers: Any, scores: Any) -> None:
    """`score_teams` at the tables (n,): from rewards and standings, (n, seats), the scores (n, teams)."""
    for i in range(len(scores)):
        score_teams(rewards[i], standings[i], speakers, scores[i])


@kernel
def score_teams(rewards: Any, standings: Any, speakers: Any, scores: Any) -> None:
    """What a match scores: the share of the other teams with a smaller reward, half for equal ones; alone, the reward.

    `speakers`: a seat of each team, as partners are paid alike. Pay and how far a team is ahead break ties.
    """
    teams = len(speakers)
    if teams == 1:
        scores[0] = rewards[speakers[0]]
        return
    average = 0.0
    for team in range(teams):
        average += standings[speakers[team]]
    average /= teams
    for team in range(teams):
        own, beaten = rewards[speakers[team]], -0.5  # it will meet itself
        for other in range(teams):
            beaten += 0.5 * (rewards[speakers[other]] < own) + 0.5 * (rewards[speakers[other]] <= own)
        scores[team] = beaten / (teams - 1) + TIE * (own + (standings[speakers[team]] - average))
