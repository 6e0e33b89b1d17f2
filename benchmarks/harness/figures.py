"""Compute figures from sums over the games of a deal, with 95 % intervals from a bootstrap over deals.

Deals are independent of each other, but the games of one deal are not. So a figure is computed from one row of sums
per deal. Its function `of` turns the totals into the value: by default the quotient of the first and the second.
Figures over the same deals are resampled together. The difference of two samples is therefore paired by deal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.matches.intervals import ALPHA, estimate_from, interval, resampled_sums, resamples

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]

Test = TypeVar("Test", bound=Hashable)

SHARE: Bounds = (0.0, 1.0)
RESAMPLES = 1000


def ratio(over: Any, under: Any) -> Floats:
    """Return the first total divided by the second, NaN where the second is 0."""
    counted = np.asarray(under) != 0
    return np.asarray(np.divide(over, under, out=np.full(np.shape(over), np.nan), where=counted))


@dataclass(frozen=True)
class Figure:
    """One number: `sums` over the games of a deal, and `of`, which computes the value from their totals over all deals.

    The totals may be floats or arrays.
    """

    sums: tuple[pl.Expr, ...]
    of: Callable[..., Floats] = ratio
    bounds: Bounds | None = None  # bounds of the averaged values, if they are known and `of` is the mean


@dataclass(frozen=True)
class Sample:
    """The value of a figure, its interval, and its values in the resamples.

    All samples of a study use the same resamples in the same order.
    """

    value: float
    drawn: Floats  # (RESAMPLES,)
    low: float
    high: float

    @property
    def counted(self) -> float:
        """The share of resamples that contain a counted deal: about 1 - exp(-k) with k such deals."""
        return float(1 - np.isnan(self.drawn).mean())

    def less(self, other: Sample) -> tuple[float, float, float]:
        """Return the difference, paired by deal, and the ends of its interval; NaN where nothing was counted."""
        return self.value - other.value, *interval(self.drawn - other.drawn)


def mean(value: pl.Expr, bounds: Bounds | None = None) -> Figure:
    """Return the mean of a column. Null values are not counted."""
    return Figure((value.sum(), value.count()), bounds=bounds)


def share(happened: pl.Expr) -> Figure:
    """Return the share of the games or teams with a true value. Null values are not counted."""
    return mean(happened, SHARE)


def samples(games: pl.DataFrame, figures: Sequence[Figure], seed: int) -> list[Sample]:
    """Return a sample of every figure. Games over the same deals, with the same seed, give paired samples."""
    sums = [part.cast(pl.Float64).alias(f"{i}.{j}") for i, f in enumerate(figures) for j, part in enumerate(f.sums)]
    by_deal = games.group_by("deal").agg(sums).sort("deal").drop("deal").to_numpy()
    drawn = resampled_sums(by_deal, seed, RESAMPLES)
    ends = np.cumsum([len(figure.sums) for figure in figures])
    slices = [slice(end - len(figure.sums), end) for figure, end in zip(figures, ends, strict=True)]
    return [_sample(f, by_deal[:, columns], drawn[:, columns]) for f, columns in zip(figures, slices, strict=True)]


def median(games: pl.DataFrame, column: str, seed: int) -> Sample:
    """Return a sample of the median of a column, paired with `samples` over the same deals and seed."""
    games = games.sort(column)
    values, deals = games[column].to_numpy(), games["deal"].rank("dense").to_numpy().astype(np.int64) - 1
    weights = [np.ones((1, deals.max() + 1)), *resamples(deals.max() + 1, seed, RESAMPLES)]
    totals = (np.cumsum(part[:, deals], axis=1) for part in weights)
    value, *drawn = np.concatenate([values[(2 * total >= total[:, -1:]).argmax(axis=1)] for total in totals])
    return Sample(float(value), np.array(drawn, np.float64), *interval(drawn))


def _sample(figure: Figure, sums: Floats, drawn: Floats) -> Sample:
    value = float(figure.of(*sums.sum(axis=0)))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.asarray(figure.of(*drawn.T))
    if figure.bounds is not None and (deals := int(np.count_nonzero(sums[:, 1]))):  # deals with a counted game
        estimate = estimate_from(value, values, deals, figure.bounds)
        return Sample(value, values, estimate.low, estimate.high)
    return Sample(value, values, *interval(values))


def p_value(value: float, low: float, high: float) -> float:
    """Return the two-sided p-value of a difference from 0 with the 95 % interval [low, high], by the normal law."""
    half = value - low if value > 0 else high - value
    deviations = abs(value) / half * NormalDist().inv_cdf(1 - ALPHA / 2) if half else math.inf * bool(value)
    return 2 * NormalDist().cdf(-deviations) if value else 1.0


def holm(tests: Mapping[Test, float]) -> set[Test]:
    """Return the tests that are significant at 5 % together, from their p-values (Holm, Scand. J. Statist. 1979)."""
    ordered = sorted(tests, key=lambda test: tests[test])
    for rank, test in enumerate(ordered):
        if tests[test] > ALPHA / (len(ordered) - rank):
            return set(ordered[:rank])
    return set(ordered)


def slope_of(n: Any, x: Any, y: Any, xx: Any, xy: Any) -> Floats:
    """Return the least-squares slope of y over x from the sums n, x, y, x squared and x times y."""
    return ratio(xy - x * y / n, xx - x * x / n)
