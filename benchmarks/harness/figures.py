"""Figures: numbers made of sums over the games of a deal, with 95 % intervals by a bootstrap over deals.

Because deals are independent and everything that happens in one is not, a figure is computed from one row of sums per
deal, and `of` says what to make of the totals: by default the first over the second, a quotient. Studies over the same
deals draw them again together, so that the difference of two samples is paired: what a deal adds to both goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.matches.intervals import estimate_from, interval, resampled_sums

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]

SHARE: Bounds = (0.0, 1.0)
RESAMPLES = 1000


def ratio(over: Any, under: Any) -> Floats:
    """The first total over the second, NaN where there was nothing to count."""
    counted = np.asarray(under) != 0
    return np.asarray(np.divide(over, under, out=np.full(np.shape(over), np.nan), where=counted))


@dataclass(frozen=True)
class Figure:
    """One number. `sums` are taken over the games of a deal; `of` takes their totals over all deals, arrays alike."""

    name: str
    sums: tuple[pl.Expr, ...]
    of: Callable[..., Floats] = ratio
    bounds: Bounds | None = None  # of what is averaged, if that is known and `of` is the mean


@dataclass(frozen=True)
class Sample:
    """A figure's value, its values in the resamples, in the same order for all samples of a study, and its interval."""

    value: float
    drawn: Floats  # (RESAMPLES,)
    low: float
    high: float

    @property
    def counted(self) -> float:
        """The share of resamples with something to count: of k deals that have it about 1 - exp(-k)."""
        return float(1 - np.isnan(self.drawn).mean())

    def less(self, other: Sample) -> tuple[float, float, float]:
        """The difference, paired by deal, and the ends of its interval; NaN where there was nothing to count."""
        return self.value - other.value, *interval(self.drawn - other.drawn)


def mean(name: str, *values: pl.Expr, bounds: Bounds | None = None) -> Figure:
    """The mean of one column, or of several taken together; what is null does not count."""
    return Figure(name, (_total([v.sum() for v in values]), _total([v.count() for v in values])), bounds=bounds)


def share(name: str, *happened: pl.Expr) -> Figure:
    """How often something was so, among the games or teams for which it is not null."""
    return mean(name, *(h.cast(pl.Float64) for h in happened), bounds=SHARE)


def quotient(name: str, over: Sequence[pl.Expr], under: Sequence[pl.Expr], bounds: Bounds | None = None) -> Figure:
    """The sum of some columns over the sum of others."""
    return Figure(name, (_total([o.sum() for o in over]), _total([u.sum() for u in under])), bounds=bounds)


def samples(games: pl.DataFrame, figures: Sequence[Figure], seed: int) -> list[Sample]:
    """Every figure of some games. Games over the same deals, and the same seed, give paired samples."""
    sums = [part.cast(pl.Float64).alias(f"{i}.{j}") for i, f in enumerate(figures) for j, part in enumerate(f.sums)]
    by_deal = games.group_by("deal").agg(sums).sort("deal").drop("deal").to_numpy()
    drawn = resampled_sums(by_deal, seed, RESAMPLES)
    ends = np.cumsum([len(figure.sums) for figure in figures])
    slices = [slice(end - len(figure.sums), end) for figure, end in zip(figures, ends, strict=True)]
    return [_sample(f, by_deal[:, columns], drawn[:, columns]) for f, columns in zip(figures, slices, strict=True)]


def _sample(figure: Figure, sums: Floats, drawn: Floats) -> Sample:
    value = float(figure.of(*sums.sum(axis=0)))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.asarray(figure.of(*drawn.T))
    if figure.bounds is not None and (deals := int(np.count_nonzero(sums[:, 1]))):  # with something to count
        estimate = estimate_from(value, values, deals, figure.bounds)
        return Sample(value, values, estimate.low, estimate.high)
    return Sample(value, values, *interval(values))


def slope_of(n: Any, x: Any, y: Any, xx: Any, xy: Any) -> Floats:
    """Return how much y rises for one more of x, by least squares."""
    return ratio(xy - x * y / n, xx - x * x / n)


def _total(sums: Sequence[pl.Expr]) -> pl.Expr:
    return pl.sum_horizontal(part.cast(pl.Float64) for part in sums)
