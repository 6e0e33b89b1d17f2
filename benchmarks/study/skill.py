"""Measure skill and luck.

One agent plays alone among copies of another, and its team goes through all places of each deal. The variance of the
scores then has three parts: the agent, the place in the deal, and the rest.

Let n be the number of teams, m the mean of the lone agent's score minus 0.5, and V the mean square of all scores minus
0.5. Let C be the mean product of the scores at one place of a deal in two rotations. The other agents have a mean of
-m / (n - 1) each, so the agents explain m^2 / (n - 1). The deal explains C without the part of the agents, which is
C + m^2 / (n - 1)^2.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import SHARE, Kinds, Measure, score, share

from ..harness.figures import Figure, Floats, ratio

SCORE = score("score of A", "A plays alone among copies of B, over duplicate deals with seats rotated; 0.5 is even.")
FINISHED = score("score of A in finished games", "The score of A without truncated games, which are often ties.")
EXPLAINED = share(
    "explained",
    "Why the scores of these two agents differ, as shares of their variance: by the agents, by the deal (with its seat "
    "and all later draws), or by neither: agents play the same cards differently, and some choose at random. The "
    "shares add up to 1. That of the deal is an estimate; below 0 it means that the deals favour no seat.",
    Kinds(("by the agents", "by the deal", "by neither")),
    bounds=None,
)


def figures(game: Game) -> list[tuple[Measure, int, Figure]]:
    """Return the strength gap of a pair, and the three parts of the variance, as figures of a tally."""
    teams = len(game.teams)
    sums = _sums(teams)

    def agents(count: Any, lone: Any, squares: Any, products: Any) -> Floats:
        m = lone / count
        return ratio(m * m / (teams - 1), squares / count)

    def deal(count: Any, lone: Any, squares: Any, products: Any) -> Floats:
        m = lone / count
        return ratio(products / count + m * m / (teams - 1) ** 2, squares / count)

    def rest(*totals: Any) -> Floats:
        return 1.0 - agents(*totals) - deal(*totals)

    alone = pl.when(pl.col("alone")).then(pl.col("score"))
    gap = Figure(SCORE.name, (alone.sum(), alone.count()), bounds=SHARE)
    parts = zip(EXPLAINED.names, (agents, deal, rest), strict=True)
    return [(SCORE, 0, gap), *((EXPLAINED, i, Figure(name, sums, of)) for i, (name, of) in enumerate(parts))]


def finished() -> tuple[Measure, int, Figure]:
    """Return the score of the lone agent in the games that were not truncated, as a figure of a tally."""
    scores = pl.when(pl.col("alone") & ~pl.col("truncated")).then(pl.col("score"))
    return FINISHED, 0, Figure(FINISHED.name, (scores.sum(), scores.count()), bounds=SHARE)


def _sums(teams: int) -> tuple[pl.Expr, ...]:
    """Return sums over a deal's rotations: games, the lone agent's score, squares, and products of rotations."""
    lone = pl.col("score") - 0.5
    squares = (lone * lone).sum()
    products = [
        lone.filter(pl.col("place") == place).sum() ** 2 - (lone * lone).filter(pl.col("place") == place).sum()
        for place in range(1, teams + 1)
    ]
    return (
        pl.len().cast(pl.Float64) / teams,
        pl.when(pl.col("alone")).then(lone).sum(),
        squares / teams,
        pl.sum_horizontal(products) / (teams * (teams - 1)),
    )
