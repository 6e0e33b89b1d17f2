"""The score of a table for each team, as a match counts it."""

from __future__ import annotations

from typing import Any

from .jit import entry_point, kernel

TIE = 1e-6  # weight of rewards and of leads: they decide only between equal shares


@entry_point
def score_rows(rewards: Any, standings: Any, over: Any, representatives: Any, scores: Any) -> None:
    """Fill in the `score_teams` of the tables (n,): scores (n, teams) from rewards and standings (n, seats)."""
    for i in range(len(scores)):
        score_teams(rewards[i], standings[i], int(over[i]), representatives, scores[i])


@kernel
def score_teams(rewards: Any, standings: Any, over: int, representatives: Any, scores: Any) -> None:
    """Fill in the score of each team: the share of other teams with a smaller reward, equal ones counted half.

    A single team scores its reward. Rewards break ties. Leads break them too where the game is not `over`, or the team
    beats nobody. So the end of a game has one score for every way to the same reward. `representatives` holds one seat
    of each team, since partners get the same reward.
    """
    teams = len(representatives)
    if teams == 1:
        scores[0] = rewards[representatives[0]]
        return
    average = 0.0
    for team in range(teams):
        average += standings[representatives[team]]
    average /= teams
    for team in range(teams):
        own, beaten = rewards[representatives[team]], -0.5  # cancels the comparison of the team with itself
        for other in range(teams):
            beaten += 0.5 * (rewards[representatives[other]] < own) + 0.5 * (rewards[representatives[other]] <= own)
        scores[team] = beaten / (teams - 1) + TIE * own
        if over == 0 or beaten == 0.0:
            scores[team] += TIE * (standings[representatives[team]] - average)
