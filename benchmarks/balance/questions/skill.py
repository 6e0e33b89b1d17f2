"""How much is skill, how much is luck?

One agent sits alone among the other's; its team goes through all places of each deal. The variance of the scores then
falls into three parts: which agent it is, which place of which deal it is, and the rest, which neither explains.

With n teams, m the mean of the lone agent's score above 0.5, V the mean square of all scores about 0.5, and C the
mean product of what one place of a deal brings in two rotations: the others have -m / (n - 1) each, so the agents
explain m^2 / (n - 1), the deal C with the agents taken out of it, C + m^2 / (n - 1)^2.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import Figure, Floats, mean, ratio
from ..question import ONE_VS_REST, Question, lone, places


def skill(game: Game) -> Question:
    """The strength gap of a pair, and the three parts of the variance."""
    teams = len(game.teams)
    alone = lone("score", teams)
    sums = _sums(alone, places("score", teams), teams)

    def agents(count: Any, own: Any, squares: Any, products: Any) -> Floats:
        m = own / count
        return ratio(m * m / (teams - 1), squares / count)

    def deal(count: Any, own: Any, squares: Any, products: Any) -> Floats:
        m = own / count
        return ratio(products / count + m * m / (teams - 1) ** 2, squares / count)

    def rest(*totals: Any) -> Floats:
        return 1.0 - agents(*totals) - deal(*totals)

    return Question(
        "How much is skill, how much is luck?",
        "A alone against B at all other seats, over duplicate deals with seats rotated. Here is A's "
        "score, and what explains the differences between results: who plays; which seat of which deal it is; or "
        "neither, which is the chance of the play and of the agents' own choices. The deal's part is below zero where "
        "deals differ most in how much room they leave for skill.",
        "score, share",
        [
            mean("score of A", *alone, bounds=(0.0, 1.0)),
            Figure("explained by the agents", sums, agents),
            Figure("explained by the deal", sums, deal),
            Figure("explained by neither", sums, rest),
        ],
        games=ONE_VS_REST,
    )


def _sums(alone: list[pl.Expr], scores: list[pl.Expr], teams: int) -> tuple[pl.Expr, ...]:
    """Sums over a deal's rotations: how many, of the lone agent's score, of squares and of products, by rotation."""
    squares, products = [], []
    for score in scores:
        own = score - 0.5
        squares.append((own * own).sum())
        products.append(own.sum() ** 2 - (own * own).sum())
    return (
        pl.len().cast(pl.Float64),
        pl.sum_horizontal((own - 0.5).sum() for own in alone),
        pl.sum_horizontal(squares) / teams,
        pl.sum_horizontal(products) / (teams * (teams - 1)),
    )
