"""Measure skill and luck.

One agent plays alone among copies of another, and its team goes through all places of each deal. The variance of the
scores then has three parts: the agent, the place in the deal, and the rest.

Let n be the number of teams, m the mean of the lone agent's score minus 0.5, and V the mean square of all scores minus
0.5. Let C be the mean product of the scores at one place of a deal in two rotations. The other agents have a mean of
-m / (n - 1) each, so the agents explain m^2 / (n - 1). The deal explains C without the part of the agents, which is
C + m^2 / (n - 1)^2.
"""

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import score, share

from ..harness.figures import Figure, Floats, average, ratio

SCORE = score("score of A", "A plays alone among copies of B, over duplicate deals with seats rotated; 0.5 is even.")
EXPLAINED = share(
    "explained",
    "Why the scores of these two agents differ, as shares of their variance: by the agents, by the deal (with its seat "
    "and all later draws), or by neither: agents play the same cards differently, and some choose at random. The "
    "shares add up to 1.",
    ("by the agents", "by the deal", "by neither"),
    bounds=None,
)


def figures(game: Game) -> list[Figure]:
    """Return the strength gap of a pair, and the three parts of the variance, as figures of a tally."""
    alone, teams = pl.when(pl.col("alone")).then(pl.col("score")), len(game.teams)

    def explained(part: int, count: Any, lone: Any, squares: Any, products: Any) -> Floats:
        """Return the share that the agents explain, or the deal, or neither."""
        m, variance = lone / count, squares / count
        by_agents = ratio(m * m / (teams - 1), variance)
        by_deal = ratio(products / count + m * m / (teams - 1) ** 2, variance)
        by_deal = np.clip(by_deal, 0.0, 1.0 - by_agents)  # an estimate can be below 0
        return (by_agents, by_deal, 1.0 - by_agents - by_deal)[part]

    parts = [Figure(EXPLAINED, _sums(teams), name, partial(explained, i)) for i, name in enumerate(EXPLAINED.names)]
    return [average(SCORE, alone), *parts]


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
