"""Intervals, all by one method: the deals are drawn again, with all that was played on them (percentile bootstrap).

Deals are what is independent; the tables of one deal, and what different line-ups made of it, are not. So one drawing
of deals serves every number of a tournament, and differences are paired. Where n deals hardly differ, the sample says
too little about its own spread: an event that none of n deals showed may still have a probability of up to
1 - 0.05 ** (1 / n) ("rule of three": Hanley and Lippman-Hand, JAMA 1983), and every interval leaves room for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ALPHA = 0.05  # an interval of 95 % may be wrong this often
DRAWS = 2000
CHUNK = 100  # draws at a time: 5,000 deals are 4 MB then


@dataclass(frozen=True)
class Estimate:
    """A mean over `n` deals and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float
    n: int

    def __str__(self) -> str:
        return f"{self.mean:.3f} [{self.low:.3f}, {self.high:.3f}]"


def estimate(by_deal: npt.ArrayLike, least: float, most: float) -> Estimate:
    """The mean of independent deals `by_deal` (deals,), each within `least` and `most`, and its interval.

    Tables of one deal depend on one another: give one value per deal. ValueError without any.
    """
    values = np.asarray(by_deal, np.float64)
    if not len(values):
        raise ValueError("an estimate needs at least one deal")
    return estimate_from(float(values.mean()), resampled(values[:, None]), len(values), (least, most))


def estimate_from(mean: float, drawn: npt.ArrayLike, deals: int, bounds: Sequence[float]) -> Estimate:
    """The same from resampled means `drawn` (draws,): cut at `bounds`, widened by what so many may have missed."""
    least, most = bounds
    low, high = interval(drawn)
    unseen = 1 - ALPHA ** (1 / deals)
    low = max(least, min(low, mean - unseen * (mean - least)))
    high = min(most, max(high, mean + unseen * (most - mean)))
    return Estimate(mean, low, high, deals)


def resampled(by_deal: npt.ArrayLike, seed: int = 0, draws: int = DRAWS) -> Floats:
    """The mean of every column of `by_deal` (deals, columns) over `draws` samples of the deals: (draws, columns)."""
    values = np.asarray(by_deal, np.float64)
    return resampled_sums(values, seed, draws) / len(values)


def resampled_sums(by_deal: Floats, seed: int, draws: int) -> Floats:
    """The sums of every column in the same samples, (draws, columns): quotients are taken after deals are drawn."""
    n = len(by_deal)
    rng, even = np.random.default_rng(seed), np.full(n, 1 / n)
    weights = (rng.multinomial(n, even, size=min(CHUNK, draws - begin)) for begin in range(0, draws, CHUNK))
    return np.concatenate([weight @ by_deal for weight in weights])


def interval(drawn: npt.ArrayLike) -> tuple[float, float]:
    """The middle 95 % of what the samples gave, (draws,), but for those with nothing to count (NaN); NaN if all are."""
    given = np.asarray(drawn, np.float64)
    given = given[~np.isnan(given)]
    if not len(given):
        return float("nan"), float("nan")
    low, high = np.quantile(given, (ALPHA / 2, 1 - ALPHA / 2))
    return float(low), float(high)
