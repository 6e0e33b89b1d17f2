"""Figures with 95 % intervals, from a bootstrap over deals.

All variants of a study are played over the same deals and drawn again together, so that the difference of two
variants is paired: what a deal adds to both goes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from tantra_envs.matches import intervals as bootstrap

from .figures import Figure, Floats

RESAMPLES = 1000


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
    drawn = bootstrap.resampled_sums(by_deal, seed, RESAMPLES)
    ends = np.cumsum([len(figure.parts) for figure in figures])
    pieces = [slice(end - len(figure.parts), end) for figure, end in zip(figures, ends, strict=True)]
    return [_sample(f, by_deal[:, piece], drawn[:, piece]) for f, piece in zip(figures, pieces, strict=True)]


def _sample(figure: Figure, parts: Floats, drawn: Floats) -> Sample:
    value = float(figure.of(*parts.sum(axis=0)))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.asarray(figure.of(*drawn.T))
    if figure.bounds is not None and (deals := int(np.count_nonzero(parts[:, 1]))):  # with something to count
        found = bootstrap.estimate_from(value, values, deals, figure.bounds)
        return Sample(value, values, found.low, found.high)
    return Sample(value, values, *bootstrap.interval(values))
