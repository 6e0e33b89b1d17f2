"""A question of the report, and the columns that all questions are asked of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ..harness.figures import Figure

SELF_PLAY, ONE_VS_REST = "self-play", "one-vs-rest"  # kinds of line-ups: an agent among its copies, or among another's


@dataclass(frozen=True)
class Question:
    """What is asked of all games of one kind of line-up, answered by figures of the same unit."""

    title: str
    description: str  # how the figures are to be read
    unit: str
    figures: Sequence[Figure]
    games: str = SELF_PLAY
    even: float | None = None  # the value that would be fair


def places(column: str, teams: int) -> list[pl.Expr]:
    """The columns of all places: `score` for score_1, score_2 .."""
    return [pl.col(f"{column}_{place}") for place in range(1, teams + 1)]


def lone(column: str, teams: int) -> list[pl.Expr]:
    """The same of the lone agent's place only: null at the others."""
    return [pl.when(pl.col(f"alone_{p}")).then(pl.col(f"{column}_{p}")) for p in range(1, teams + 1)]
