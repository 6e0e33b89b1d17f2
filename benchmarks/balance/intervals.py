"""Figures with 95 % intervals, from a bootstrap over deals.

All variants of a study are played over the same deals and drawn again together, so that the difference of two
variants is paired: what a deal adds to both goes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from agents.match import UNSEEN

from .figures import Figure, Floats

RESAMPLES = 1000
CHUNK = 100  # resamples at a time: few enough that many deals fit into memory


@dataclass(frozen=True)
class Sample:
    """A figure's value, its values in the resamples, in the same order for all samples of a study, and its interval."""

    value: float
    drawn: Floats  # (RESAMPLES,)
    low: float
    high: float


def samples(games: pl.DataFrame, figures: Sequence[Figure], seed: int) -> list[Sample]:
    """Every figure of some games. Games over the same deals, and the same seed, give paired samples."""
    sums = [part.cast(pl.Float64).alias(f"{i}.{j}") for i, f in enumerate(figures) for j, part in enumerate(f.parts)]
    by_deal = games.group_by("deal").agg(sums).sort("deal").drop("deal").to_numpy()
    drawn = resampled(by_deal, seed)
    ends = np.cumsum([len(figure.parts) for figure in figures])
    pieces = [slice(end - len(figure.parts), end) for figure, end in zip(figures, ends, strict=True)]
    return [_sample(f, by_deal[:, piece], drawn[:, piece]) for f, piece in zip(figures, pieces, strict=True)]


def resampled(by_deal: Floats, seed: int) -> Floats:
    """The sums of the columns of `by_deal` (deals, columns) over each of RESAMPLES draws of as many deals."""
    deals = len(by_deal)
    rng, even = np.random.default_rng(seed), np.full(deals, 1 / deals)
    return np.concatenate([rng.multinomial(deals, even, CHUNK) @ by_deal for _ in range(RESAMPLES // CHUNK)])


def _sample(figure: Figure, parts: Floats, drawn: Floats) -> Sample:
    value = float(figure.of(*parts.sum(axis=0)))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.asarray(figure.of(*drawn.T))
    low, high = interval(values)
    if figure.bounds is not None:
        low, high = _with_room(value, low, high, figure.bounds, int(np.count_nonzero(parts[:, 1])))
    return Sample(value, values, low, high)


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
