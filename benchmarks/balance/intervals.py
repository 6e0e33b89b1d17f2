"""Figures with 95 % intervals, from a bootstrap over deals.

All variants of a study are played over the same deals and drawn again together, so that the difference of two
variants is paired: what a deal adds to both goes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from agents.match import UNSEEN

from .figures import Figure, Floats

RESAMPLES = 1000


@dataclass(frozen=True)
class Sample:
    """A figure's value and, in the same order for all samples of a study, its values in the resamples."""

    value: float
    drawn: Floats  # (RESAMPLES,)
    low: float
    high: float


class Bootstrap:
    """Draws `deals` deals anew with replacement, the same draws for every figure."""

    def __init__(self, deals: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self._times = rng.multinomial(deals, np.full(deals, 1 / deals), size=RESAMPLES).astype(np.float64)

    def samples(self, games: pl.DataFrame, figures: Sequence[Figure]) -> list[Sample]:
        """Every figure of games that hold each deal at least once."""
        sums = [
            part.cast(pl.Float64).alias(f"{i}.{j}") for i, f in enumerate(figures) for j, part in enumerate(f.parts)
        ]
        by_deal = games.group_by("deal").agg(sums).sort("deal")
        return [
            self._sample(figure, [by_deal[f"{i}.{j}"].to_numpy() for j in range(len(figure.parts))])
            for i, figure in enumerate(figures)
        ]

    def _sample(self, figure: Figure, parts: list[npt.NDArray[np.float64]]) -> Sample:
        value = float(figure.of(*(np.asarray(part.sum()) for part in parts)))
        with np.errstate(invalid="ignore"):
            drawn = np.asarray(figure.of(*(self._times @ part for part in parts)))
        low, high = interval(drawn)
        if figure.bounds is not None:
            low, high = _with_room(value, low, high, figure.bounds, int(np.count_nonzero(parts[1])))
        return Sample(value, drawn, low, high)


def interval(drawn: Floats) -> tuple[float, float]:
    """The middle 95 % of the resamples in which there was something to count; NaN if there is no such."""
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return float("nan"), float("nan")
    low, high = np.quantile(known, (UNSEEN / 2, 1 - UNSEEN / 2))
    return float(low), float(high)


def _with_room(value: float, low: float, high: float, bounds: tuple[float, float], deals: int) -> tuple[float, float]:
    """Room for what the `deals` that count may have missed: where nothing varied, resampling sees no doubt at all."""
    if deals == 0:
        return low, high
    missed = 1 - UNSEEN ** (1 / deals)
    least, most = bounds
    return min(low, value - missed * (value - least)), max(high, value + missed * (most - value))
