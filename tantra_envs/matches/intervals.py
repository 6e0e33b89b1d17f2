"""Intervals by bootstrap: the deals are drawn again, with all that was played on them.

Deals are what is independent; the tables of one deal, and what different line-ups made of it, are not. So one drawing
of deals serves every number of a tournament, and differences are paired.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tantra_envs.matches.match import UNSEEN, Estimate, Floats, with_room

DRAWS = 2000
CHUNK = 100  # draws at a time: 5,000 deals are 4 MB then


def resampled(by_deal: npt.ArrayLike, seed: int = 0, draws: int = DRAWS) -> Floats:
    """The mean of every column of `by_deal` (deals, columns) over each of `draws` samples of the deals."""
    values = np.asarray(by_deal, np.float64)
    return resampled_sums(values, seed, draws) / len(values)


def resampled_sums(by_deal: Floats, seed: int, draws: int) -> Floats:
    """The sum of every column in the same samples: a quotient is taken after the deals are drawn, not before."""
    n = len(by_deal)
    rng, even = np.random.default_rng(seed), np.full(n, 1 / n)
    weights = (rng.multinomial(n, even, size=min(CHUNK, draws - begin)) for begin in range(0, draws, CHUNK))
    return np.concatenate([weight @ by_deal for weight in weights])


def interval(drawn: npt.ArrayLike) -> tuple[float, float]:
    """The middle 95 % of what the samples gave, but for those with nothing to count (NaN); NaN if all are such."""
    given = np.asarray(drawn, np.float64)
    given = given[~np.isnan(given)]
    if not len(given):
        return float("nan"), float("nan")
    low, high = np.quantile(given, (UNSEEN / 2, 1 - UNSEEN / 2))
    return float(low), float(high)


def estimate(mean: float, drawn: npt.ArrayLike, deals: int, bounds: Sequence[float]) -> Estimate:
    """A mean with its interval, never narrower than what so many deals leave unseen within `bounds`."""
    return with_room(mean, *interval(drawn), deals, *bounds)
