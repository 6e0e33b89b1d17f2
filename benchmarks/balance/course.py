"""The course of games: who led when, how often the lead changed, and what became of who was last.

A team leads when it stands better than every other; while the best are level the lead stays where it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

NOBODY = -1
TENTHS = range(1, 10)  # of a game's actions
HALF = 5


def course(
    standings: npt.NDArray[np.float32], plies: npt.NDArray[np.int64], scores: npt.NDArray[Any]
) -> dict[str, Any]:
    """Columns about n games from `standings` (plies + 1, n, teams), which stay as they are once a game is over.

    `leader_score_k`, `last_score_k`: the final score of the team that held the lead, or stood last alone, after k
    tenths of the game; NaN where there was none.
    """
    holders = lead_holders(standings)
    lasts = _alone(-standings)
    columns: dict[str, Any] = {"lead_changes": lead_changes(holders)}
    every = np.arange(len(plies))
    for tenth in TENTHS:
        then = plies * tenth // 10
        columns[f"leader_score_{tenth}"] = _score_of(holders[then, every], scores)
    columns[f"last_score_{HALF}"] = _score_of(lasts[plies * HALF // 10, every], scores)
    return columns


def lead_holders(standings: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
    """Who holds the lead after each action, NOBODY before anybody has led; shape (plies + 1, n)."""
    holders = _alone(standings)
    for ply in range(1, len(holders)):
        holders[ply] = np.where(holders[ply] == NOBODY, holders[ply - 1], holders[ply])
    return holders


def lead_changes(holders: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How often the lead went from one team to another, shape (n,); the first to lead takes it from nobody."""
    return np.asarray(((holders[1:] != holders[:-1]) & (holders[:-1] != NOBODY)).sum(axis=0))


def _alone(standings: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
    """The team that stands higher than every other, or NOBODY."""
    best = standings.max(axis=2, keepdims=True)
    return np.where((standings == best).sum(axis=2) == 1, standings.argmax(axis=2), NOBODY)


def _score_of(teams: npt.NDArray[np.int64], scores: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    return np.where(teams == NOBODY, np.nan, scores[np.arange(len(teams)), teams])
