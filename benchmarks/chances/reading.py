"""What sampled games say: how tense they were, when they were decided, and whether the chances were true.

The moment of decision is the first tenth from which on the later winner's chance stays at `SURE` or above; a comeback
is a game won by a team whose chance had been `LOST` or less. Whether chances are true is asked of all positions alike:
one from each tenth stands for all of it, and so counts by the length of its game. If short games counted as much as
long ones, those would be picked in which the favourite soon won.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from ..harness.figures import SHARE, Figure, mean, quotient, samples, share
from .sampling import TENTHS

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]

SURE, LOST = 0.9, 0.2
BINS = 10  # of chances, for the picture of how true they are
EARLY = 3  # times the median length


def figures(games: pl.DataFrame, seed: int) -> list[Row]:
    """Rows with group, figure, at (a tenth or bin), value, low, high, of one agent's games as `sampled` has them."""
    read = by_game(games)
    wanted = _wanted()
    found = samples(read, [figure for _, _, figure in wanted], seed)
    return [
        {
            "group": group,
            "figure": figure.name,
            "at": at,
            "value": _known(s.value),
            "low": _known(s.low),
            "high": _known(s.high),
        }
        for (group, at, figure), s in zip(wanted, found, strict=True)
    ]


def by_game(games: pl.DataFrame) -> pl.DataFrame:
    """A row of numbers for each game; NaN, read as null, where there is nothing to tell.

    winner_k: the later winner's chance in tenth k; favourite_k, leader_k: the final score of who alone had the best
    chance, or stood best; decided_k; lowest: the winner's worst chance; comeback; changes: of the favourite; and what
    `_truth` adds.
    """
    teams = sum(name.startswith("score_") for name in games.columns)
    scores = _taken(games, "score", teams, "")[:, :, 0]
    chance, ahead = (_taken(games, what, teams, "_k") for what in ("chance", "ahead"))  # (n, teams, tenths)
    winner = _sole_best(scores)
    own = np.where(winner[:, None] >= 0, chance[np.arange(len(games)), winner], np.nan)
    sure = np.logical_and.accumulate(own[:, ::-1] >= SURE, axis=1)[:, ::-1]
    lowest = own.min(axis=1)
    columns: dict[str, Any] = {"deal": games["deal"], "lowest": lowest, "changes": _changes(chance)}
    columns["comeback"] = np.where(winner >= 0, lowest <= LOST, np.nan)
    for k in TENTHS:
        columns[f"winner_{k}"] = own[:, k]
        columns[f"decided_{k}"] = np.where(winner >= 0, sure[:, k], np.nan)
        for name, values in (("favourite", chance), ("leader", ahead)):
            columns[f"{name}_{k}"] = _score_of(_sole_best(values[:, :, k]), scores)
    return pl.DataFrame(columns | _truth(chance, scores, _weights(games)), nan_to_null=True)


def _wanted() -> list[tuple[str, int | None, Figure]]:
    """Group, tenth or bin, figure."""
    score = functools.partial(mean, bounds=SHARE)
    curves: dict[str, Callable[..., Figure]] = {"winner": score, "favourite": score, "leader": score, "decided": share}
    found = [(name, k, how(name, pl.col(f"{name}_{k}"))) for name, how in curves.items() for k in TENTHS]
    column = pl.col
    for b in range(BINS):
        inside = [column(f"in_{b}")]
        found += [
            ("reliability", b, quotient("chance", [column(f"sum_{b}")], inside)),
            ("reliability", b, quotient("score", [column(f"score_{b}")], inside, bounds=SHARE)),
        ]
    whole = [
        mean("lowest chance of the winner", column("lowest")),
        share("comebacks", column("comeback")),
        mean("changes of the favourite", column("changes")),
        quotient("squared error of the chances", [column("wrong")], [column("all")]),
        quotient("squared error of saying even", [column("wrong_even")], [column("all")]),
    ]
    return [*found, *(("games", None, figure) for figure in whole)]


def _taken(games: pl.DataFrame, what: str, teams: int, suffix: str) -> Floats:
    """The columns of all teams, and tenths if they have them: (n, teams, tenths or 1)."""
    ends = [f"_{k}" for k in TENTHS] if suffix else [""]
    columns = [games[f"{what}_{team}{end}"].to_numpy() for team in range(teams) for end in ends]
    return np.stack(columns, axis=1).reshape(len(games), teams, len(ends))


def _sole_best(values: Floats) -> npt.NDArray[np.int64]:
    """Who of (n, teams) alone has the most, or -1."""
    best = values.max(axis=1, keepdims=True)
    return np.where((values == best).sum(axis=1) == 1, values.argmax(axis=1), -1)


def _score_of(teams: npt.NDArray[np.int64], scores: Floats) -> Floats:
    return np.where(teams >= 0, scores[np.arange(len(teams)), teams], np.nan)


def _changes(chance: Floats) -> npt.NDArray[np.int64]:
    """How often somebody else became the favourite, looked at once every tenth; a level table changes nothing."""
    held, changes = _sole_best(chance[:, :, 0]), np.zeros(len(chance), np.int64)
    for k in TENTHS[1:]:
        now = _sole_best(chance[:, :, k])
        now = np.where(now < 0, held, now)
        changes += (now != held) & (held >= 0)
        held = now
    return changes


def _weights(games: pl.DataFrame) -> Floats:
    """How much the position of each tenth counts, (n, 1, tenths): by the length of its game, late ones not at all.

    Late is beyond `EARLY` times the median length, at an action that says nothing about how the game goes on. A few
    games that go round in circles would count for more than all others.
    """
    plies = games["plies"].to_numpy()
    at = np.stack([games[f"ply_{k}"].to_numpy() for k in TENTHS], axis=1)
    return np.asarray(plies[:, None] * (at < EARLY * np.median(plies)), np.float64)[:, None, :]


def _truth(chance: Floats, scores: Floats, weights: Floats) -> dict[str, Any]:
    """Sums of weights: in_b, sum_b, score_b of the chances in bin b, of what they say, of what came of them; in all.

    wrong, wrong_even: squared errors of the chances, and of saying even.
    """
    bins = np.minimum((chance * BINS).astype(np.int64), BINS - 1)
    came = np.broadcast_to(scores[:, :, None], chance.shape)
    values = {"all": np.ones_like(chance), "wrong": (chance - came) ** 2, "wrong_even": (0.5 - came) ** 2}
    for b in range(BINS):
        values |= {f"in_{b}": bins == b, f"sum_{b}": (bins == b) * chance, f"score_{b}": (bins == b) * came}
    return {name: (weights * value).sum(axis=(1, 2)) for name, value in values.items()}


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value
