"""Measure the tension of games by win probabilities: when they were decided, and how often the favourite won.

A game is decided from the first tenth on in which the later winner's win probability stays at `SURE` or above. It was
won from behind if that probability was ever `LOST` or less.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from tantra_envs.measures import Scale, mean, score, share

from ..harness.figures import Figure, average
from .leads import NOBODY, Floats, changes, holders, score_of, sole_best
from .win_probability import TENTHS

SURE, LOST = 0.9, 0.2

BY_TENTH = Scale("tenth of the game", tuple(range(1, 11)), end=11)
WINNER = score("win probability of the later winner", "The mean in each tenth of a game.", BY_TENTH)
FAVOURITE = score(
    "score of the favourite", "The final score of the team that alone has the best win probability.", BY_TENTH
)
AHEAD = score(
    "score of the team ahead",
    "The final score of the team that alone stands best: with the most points, or the fewest cards left.",
    BY_TENTH,
)
DECIDED = share(
    "decided games",
    f"Games in which the later winner's win probability stays at {SURE} or more from here on.",
    BY_TENTH,
)
LOWEST = score(
    "lowest win probability of the winner", "The lowest win probability of the later winner in any tenth.", bounds=None
)
BEHIND = share("won from behind", f"Games whose winner had a win probability of {LOST} or less.")
CHANGES = mean("changes of the favourite", "How often another team becomes the favourite.", unit="in a game")


def figures() -> list[Figure]:
    """Return all figures of the columns that `by_game` makes."""
    curves = {"winner": WINNER, "favourite": FAVOURITE, "leader": AHEAD, "decided": DECIDED}
    rows = [
        average(measure, pl.col(f"{name}_{k}"), BY_TENTH.names[k]) for name, measure in curves.items() for k in TENTHS
    ]
    columns = {LOWEST: "lowest", BEHIND: "behind", CHANGES: "changes"}
    return rows + [average(measure, pl.col(name)) for measure, name in columns.items()]


def by_game(games: pl.DataFrame) -> pl.DataFrame:
    """Return a row of numbers for each sampled game, null where nothing is counted.

    Columns:
        winner_k: win probability of the later winner in tenth k
        favourite_k, leader_k: final score of the team that alone had the best win probability, or the best standing
        decided_k: whether the game was decided
        lowest: lowest win probability of the winner
        behind: whether the game was won from behind
        changes: changes of the favourite
    """
    teams = sum(name.startswith("score_") for name in games.columns)
    scores = _taken(games, "score", teams, "")[:, :, 0]
    chance, ahead = (_taken(games, what, teams, "_k") for what in ("chance", "ahead"))  # (n, teams, tenths)
    winner = sole_best(scores)
    winning = np.where(winner[:, None] != NOBODY, chance[np.arange(len(games)), winner], np.nan)
    sure = np.logical_and.accumulate(winning[:, ::-1] >= SURE, axis=1)[:, ::-1]
    lowest = winning.min(axis=1)
    favourites = holders(sole_best(chance[:, :, k]) for k in TENTHS)
    columns: dict[str, Any] = {"deal": games["deal"], "lowest": lowest, "changes": changes(favourites)}
    columns["behind"] = np.where(winner != NOBODY, lowest <= LOST, np.nan)
    for k in TENTHS:
        columns[f"winner_{k}"] = winning[:, k]
        columns[f"decided_{k}"] = np.where(winner != NOBODY, sure[:, k], np.nan)
        for name, values in (("favourite", chance), ("leader", ahead)):
            columns[f"{name}_{k}"] = score_of(sole_best(values[:, :, k]), scores)
    return pl.DataFrame(columns, nan_to_null=True)


def _taken(games: pl.DataFrame, what: str, teams: int, suffix: str) -> Floats:
    """Return the columns of all teams, and of tenths if they have them: shape (n, teams, tenths or 1)."""
    ends = [f"_{k}" for k in TENTHS] if suffix else [""]
    columns = [games[f"{what}_{team}{end}"].to_numpy() for team in range(teams) for end in ends]
    return np.stack(columns, axis=1).reshape(len(games), teams, len(ends))
