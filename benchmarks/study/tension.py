"""How tense games were by their win probabilities: when they were decided, and whether the probabilities were right.

A game is decided from the first tenth on in which the later winner's win probability stays at `SURE` or above; it was
won from behind if that had been `LOST` or less. Calibration looks at all positions alike: one from each tenth stands
for all of it, and so counts by the length of its game. If short games counted as much as long ones, those would be
picked in which the favourite soon won.
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
BINS = 10  # of win probabilities, for the calibration
EARLY = 3  # times the median length
SOURCES = ("own", "joint")  # by what each seat sees, and all seats of a table together

BY_TENTH = Scale("tenth of the game", tuple(range(1, 11)), end=11)
BY_BIN = Kinds(tuple(f"{b / BINS:.1f}-{(b + 1) / BINS:.1f}" for b in range(BINS)))
WINNER = score("win probability of the later winner", "How it rises over the tenths of a game.", BY_TENTH)
FAVOURITE = score(
    "score of the favourite", "The final score of the team that alone has the best win probability.", BY_TENTH
)
AHEAD = score("score of the team ahead", "The final score of the team that alone stands best by points.", BY_TENTH)
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
    source: score(f"observed score, {source}", "The mean score that came of them in each range.", BY_BIN)
    for source in SOURCES
}
LOWEST = score("lowest win probability of the winner", "The worst of the later winner's win probabilities.")
BEHIND = share("won from behind", f"Games won from a win probability of {LOST} or less.")
CHANGES = mean("changes of the favourite", "How often another team becomes the favourite.", unit="in a game")
ERROR = mean(
    "squared error of the win probabilities",
    "By what each seat sees, with all seats of a table taken together, and for comparison of always saying even.",
    Kinds(("own", "joint", "saying even")),
    unit="squared score",
)


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
    """Return a row of numbers for each sampled game; null where there is nothing to count.

    winner_k: the later winner's win probability in tenth k; favourite_k, leader_k: the final score of the team that
    alone had the best win probability, or stood best; decided_k; lowest: the winner's worst win probability; behind;
    changes: of the favourite; and the sums of `_calibration` for each source.
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
    """Return win probabilities (n, teams, tenths) that add up at every table.

    Each team's comes from what its own seat sees. Where all think well of their hands they cannot all be right.
    """
    return np.asarray(np.clip(chance - chance.mean(axis=1, keepdims=True) + EVEN, 0.0, 1.0))


def _taken(games: pl.DataFrame, what: str, teams: int, suffix: str) -> Floats:
    """The columns of all teams, and tenths if they have them: (n, teams, tenths or 1)."""
    ends = [f"_{k}" for k in TENTHS] if suffix else [""]
    columns = [games[f"{what}_{team}{end}"].to_numpy() for team in range(teams) for end in ends]
    return np.stack(columns, axis=1).reshape(len(games), teams, len(ends))


def _weights(games: pl.DataFrame) -> Floats:
    """How much the position of each tenth counts, (n, 1, tenths): by the length of its game, late ones not at all.

    Late is beyond `EARLY` times the median length, at an action that says nothing about how the game goes on. A few
    games whose actions repeat would count for more than all others.
    """
    plies = games["plies"].to_numpy()
    at = np.stack([games[f"ply_{k}"].to_numpy() for k in TENTHS], axis=1)
    return np.asarray(plies[:, None] * (at < EARLY * np.median(plies)), np.float64)[:, None, :]


def _calibration(chance: Floats, scores: Floats, weights: Floats) -> dict[str, Any]:
    """Calibration sums by bin b: in_b weights, sum_b weighted predictions, score_b weighted outcomes; all weights.

    wrong, wrong_even: squared errors of the predictions, and of saying even.
    """
    bins = np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    came = np.broadcast_to(scores[:, :, None], chance.shape)
    values = {"all": np.ones_like(chance), "wrong": (chance - came) ** 2, "wrong_even": (EVEN - came) ** 2}
    for b in range(BINS):
        values |= {f"in_{b}": bins == b, f"sum_{b}": (bins == b) * chance, f"score_{b}": (bins == b) * came}
    return {name: (weights * value).sum(axis=(1, 2)) for name, value in values.items()}
