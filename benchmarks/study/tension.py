"""Measure the tension of games by win probabilities: when games were decided, and whether predictions were right.

A game is decided from the first tenth on in which the later winner's win probability stays at `SURE` or above. It was
won from behind if that probability was ever `LOST` or less.

Calibration gives all positions the same weight. One sampled position represents a tenth of the game, so its weight is
the length of its game. Equal weights for games would prefer positions of short games, which the favourite won soon.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.measures import Kinds, Measure, Scale, mean, score, share

from ..harness.figures import Figure, quotient
from ..harness.figures import mean as mean_of
from .leads import NOBODY, Floats, changes, holders, score_of, sole_best
from .win_probability import TENTHS

SURE, LOST, EVEN = 0.9, 0.2, 0.5
BINS = 10  # ranges of win probabilities, for the calibration
EARLY = 3  # times the median length
SOURCES = ("own", "joint")  # from the view of each seat, and made consistent over the table

BY_TENTH = Scale("tenth of the game", tuple(range(1, 11)), end=11)
BY_BIN = Kinds(tuple(f"{b / BINS:.1f}-{(b + 1) / BINS:.1f}" for b in range(BINS)))
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
PREDICTED = {
    source: score(f"predicted win probability, {source}", "The mean win probability in each range.", BY_BIN)
    for source in SOURCES
}
OBSERVED = {
    source: score(f"observed score, {source}", "The mean final score in each range of predictions.", BY_BIN)
    for source in SOURCES
}
LOWEST = score("lowest win probability of the winner", "The lowest win probability of the later winner in any tenth.")
BEHIND = share("won from behind", f"Games whose winner had a win probability of {LOST} or less.")
CHANGES = mean("changes of the favourite", "How often another team becomes the favourite.", unit="in a game")
ERROR = mean(
    "squared error of the win probabilities",
    "How wrong the predictions are: from the view of each seat (own), made consistent over the table (joint), and of "
    "always predicting 0.5. Lower is better.",
    Kinds(("own", "joint", "always 0.5")),
    unit="squared score",
)
CALIBRATION = [measure.name for measure in (*PREDICTED.values(), *OBSERVED.values(), ERROR)]


def figures() -> list[tuple[Measure, int, Figure]]:
    """Return all figures of the columns that `by_game` makes: measure, part, figure."""
    curves = {"winner": WINNER, "favourite": FAVOURITE, "leader": AHEAD, "decided": DECIDED}
    rows = [
        (measure, k, mean_of(measure.name, pl.col(f"{name}_{k}"), bounds=measure.bounds))
        for name, measure in curves.items()
        for k in TENTHS
    ]
    for source, b in product(SOURCES, range(BINS)):
        inside = [pl.col(f"{source}_in_{b}")]
        rows.append((PREDICTED[source], b, quotient("", [pl.col(f"{source}_sum_{b}")], inside)))
        rows.append((OBSERVED[source], b, quotient("", [pl.col(f"{source}_score_{b}")], inside, bounds=(0.0, 1.0))))
    wrong = ("own_wrong", "joint_wrong", "own_wrong_even")
    return [
        *rows,
        (LOWEST, 0, mean_of("", pl.col("lowest"))),
        (BEHIND, 0, mean_of("", pl.col("behind"), bounds=(0.0, 1.0))),
        (CHANGES, 0, mean_of("", pl.col("changes"))),
        *((ERROR, i, quotient("", [pl.col(name)], [pl.col("own_all")])) for i, name in enumerate(wrong)),
    ]


def by_game(games: pl.DataFrame) -> pl.DataFrame:
    """Return a row of numbers for each sampled game, null where nothing is counted.

    Columns:
        winner_k: win probability of the later winner in tenth k
        favourite_k, leader_k: final score of the team that alone had the best win probability, or the best standing
        decided_k: whether the game was decided
        lowest: lowest win probability of the winner
        behind: whether the game was won from behind
        changes: changes of the favourite
        own_.., joint_..: sums of `_calibration` for each source
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
    weights = _weights(games)
    for source, predicted in (("own", chance), ("joint", joint(chance))):
        columns |= {f"{source}_{name}": sums for name, sums in _calibration(predicted, scores, weights).items()}
    return pl.DataFrame(columns, nan_to_null=True)


def joint(chance: Floats) -> Floats:
    """Return win probabilities (n, teams, tenths) with a fixed sum at every table.

    Each team's probability comes from the view of its own seat. If all seats have good hands, they cannot all be right.
    """
    return np.asarray(np.clip(chance - chance.mean(axis=1, keepdims=True) + EVEN, 0.0, 1.0))


def _taken(games: pl.DataFrame, what: str, teams: int, suffix: str) -> Floats:
    """Return the columns of all teams, and of tenths if they have them: shape (n, teams, tenths or 1)."""
    ends = [f"_{k}" for k in TENTHS] if suffix else [""]
    columns = [games[f"{what}_{team}{end}"].to_numpy() for team in range(teams) for end in ends]
    return np.stack(columns, axis=1).reshape(len(games), teams, len(ends))


def _weights(games: pl.DataFrame) -> Floats:
    """Return the weight of the position of each tenth, (n, 1, tenths): the length of its game, 0 for late positions.

    A position is late after `EARLY` times the median length. Without this limit, a few games with repeating actions
    would outweigh all others. The limit depends only on the number of the action, so it does not bias the outcome.
    """
    plies = games["plies"].to_numpy()
    at = np.stack([games[f"ply_{k}"].to_numpy() for k in TENTHS], axis=1)
    return np.asarray(plies[:, None] * (at < EARLY * np.median(plies)), np.float64)[:, None, :]


def _calibration(chance: Floats, scores: Floats, weights: Floats) -> dict[str, Any]:
    """Return calibration sums by bin b: in_b weights, sum_b weighted predictions, score_b weighted outcomes.

    all: sum of the weights. wrong, wrong_even: squared errors of the predictions, and of the constant 0.5.
    """
    bins = np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    came = np.broadcast_to(scores[:, :, None], chance.shape)
    values = {"all": np.ones_like(chance), "wrong": (chance - came) ** 2, "wrong_even": (EVEN - came) ** 2}
    for b in range(BINS):
        values |= {f"in_{b}": bins == b, f"sum_{b}": (bins == b) * chance, f"score_{b}": (bins == b) * came}
    return {name: (weights * value).sum(axis=(1, 2)) for name, value in values.items()}
