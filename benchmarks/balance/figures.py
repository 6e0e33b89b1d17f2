"""What a question consists of: figures, each made of sums over the games of a deal.

Because deals are independent and everything that happens in one is not, a figure is computed from one row of sums
per deal, `parts`, and `of` says what to make of the totals: by default the first over the second, a mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]

MIRROR, PAIRS = "mirror", "pairs"  # games of agents against themselves, or against one another


def ratio(over: Floats, under: Floats) -> Floats:
    """The first total over the second, NaN where there was nothing to count."""
    return np.divide(over, under, out=np.full(np.shape(over), np.nan), where=np.asarray(under) != 0)


@dataclass(frozen=True)
class Figure:
    """One number of a report. `parts` are sums over the games of a deal; `of` takes their totals, arrays alike."""

    name: str
    parts: tuple[pl.Expr, ...]
    of: Callable[..., Floats] = ratio
    bounds: Bounds | None = None  # of what is averaged, if that is known and `of` is the mean


@dataclass(frozen=True)
class Question:
    """A question to all games of one kind, answered by figures of the same unit."""

    title: str
    description: str  # how the figures are to be read
    unit: str
    figures: Sequence[Figure]
    games: str = MIRROR
    even: float | None = None  # the value that would be fair


def mean(name: str, *values: pl.Expr, bounds: Bounds | None = None) -> Figure:
    """The mean of one column, or of several taken together; what is null does not count."""
    return Figure(name, (_total([v.sum() for v in values]), _total([v.count() for v in values])), bounds=bounds)


def share(name: str, *happened: pl.Expr) -> Figure:
    """How often something was so, among the games or teams for which it is not null."""
    return mean(name, *(h.cast(pl.Float64) for h in happened), bounds=(0.0, 1.0))


def quotient(name: str, over: Sequence[pl.Expr], under: Sequence[pl.Expr], bounds: Bounds | None = None) -> Figure:
    """The sum of some columns over the sum of others."""
    return Figure(name, (_total([o.sum() for o in over]), _total([u.sum() for u in under])), bounds=bounds)


def slope(name: str, pairs: Sequence[tuple[pl.Expr, pl.Expr]]) -> Figure:
    """How much the second of a pair of columns rises for one more of the first, by least squares."""
    x = [first for first, _ in pairs]
    products = [first * second for first, second in pairs]
    columns = ([v.count() for v in x], [v.sum() for v in x], [second.sum() for _, second in pairs])
    squares = ([(v * v).sum() for v in x], [product.sum() for product in products])
    return Figure(name, tuple(_total(part) for part in (*columns, *squares)), of=_slope)


def places(column: str, teams: int) -> list[pl.Expr]:
    """The columns of all places: `score` for score_1, score_2 .."""
    return [pl.col(f"{column}_{place}") for place in range(1, teams + 1)]


def _slope(n: Any, x: Any, y: Any, xx: Any, xy: Any) -> Floats:
    return ratio(xy - x * y / n, xx - x * x / n)


def _total(parts: Sequence[pl.Expr]) -> pl.Expr:
    return pl.sum_horizontal(part.cast(pl.Float64) for part in parts)
