"""The trajectory of games: who led when, how often the lead changed, and what became of who was last.

A team leads when it stands better than every other; while the best are level the lead stays where it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

NOBODY = -1
TENTHS = range(1, 10)  # of a game's actions
HALF = 5

Teams = npt.NDArray[np.int8]  # a team, or NOBODY


def trajectory(
    leading: Teams, trailing: Teams, plies: npt.NDArray[np.int64], scores: npt.NDArray[Any]
) -> dict[str, Any]:
    """Columns about n games from who stands best and who stands last alone after each action, (plies + 1, n).

    `leader_score_k`, `last_score_k`: the final score of the team that held the lead, or stood last alone, after k
    tenths of the game; NaN where there was none.
    """
    holders = lead_holders(leading)
    columns: dict[str, Any] = {"lead_changes": lead_changes(holders)}
    every = np.arange(len(plies))
    for tenth in TENTHS:
        columns[f"leader_score_{tenth}"] = _score_of(holders[plies * tenth // 10, every], scores)
    columns[f"last_score_{HALF}"] = _score_of(trailing[plies * HALF // 10, every], scores)
    return columns


def sole_leader(points: npt.NDArray[Any]) -> Teams:
    """The team that has more than every other, or NOBODY, from points (n, teams)."""
    best = points.max(axis=1, keepdims=True)
    return np.where((points == best).sum(axis=1) == 1, points.argmax(axis=1), NOBODY).astype(np.int8)


def lead_holders(leading: Teams) -> Teams:
    """Who holds the lead after each action, NOBODY before anybody has led."""
    holders = leading.copy()
    for ply in range(1, len(holders)):
        holders[ply] = np.where(holders[ply] == NOBODY, holders[ply - 1], holders[ply])
    return holders


def lead_changes(holders: Teams) -> npt.NDArray[np.int64]:
    """How often the lead went from one team to another, shape (n,); the first to lead takes it from nobody."""
    return np.asarray(((holders[1:] != holders[:-1]) & (holders[:-1] != NOBODY)).sum(axis=0))


def _score_of(teams: Teams, scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return np.where(teams == NOBODY, np.nan, scores[np.arange(len(teams)), teams])
