"""How much is skill, how much is luck?

One agent sits alone among the other's copies; its team goes through all places of each deal. The variance of the scores
then falls into three parts: which agent it is, which place of which deal it is, and the rest, which neither explains.

With n teams, m the mean of the lone agent's score above 0.5, V the mean square of all scores about 0.5, and C the
mean product of the scores of one place of a deal in two rotations: the others have -m / (n - 1) each, so the agents
explain m^2 / (n - 1), the deal C with the agents taken out of it, C + m^2 / (n - 1)^2.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import SHARE, Kinds, Measure, score, share

from ..harness.figures import Figure, Floats, ratio

SCORE = score("score of A", "A sits alone at a table of Bs, over duplicate deals with seats rotated; 0.5 is even.")
EXPLAINED = share(
    "explained",
    "What explains the differences between results: the agents; the deal (which seat of which deal it is); or neither, "
    "which is the chance of the play and of the agents' own choices. The deal's part is below zero where deals differ "
    "most in how much room they leave for skill.",
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


def _sums(teams: int) -> tuple[pl.Expr, ...]:
    """Sums over a deal's rotations: games, the lone agent's score, squares, and products by rotation."""
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
