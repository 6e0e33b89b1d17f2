"""The results of an agent deal by deal, as text: its half points as one digit for each deal.

A result of a pair has a text for each line-up of `suite.lineups`: first the agent alone, then the opponent alone. All
scores, intervals and ratings follow from these texts. All agents play the same deals. So one resampling of the deals of
a table serves everything on it: see `tantra_envs.matches.intervals`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import NamedTuple

import numpy as np

from tantra_envs.matches.intervals import DRAWS, Estimate, Floats, estimate_from, interval, resamples, unseen
from tantra_envs.matches.playing import Ints

from ..harness.formatting import Row
from . import suite

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
SHARE = (0.0, 1.0)  # bounds of a score


def written(points: Ints) -> str:
    """Return points (deals,) as text."""
    return "".join(DIGITS[point] for point in points.tolist())


def read(text: str) -> Ints:
    """Return the points of a text, (deals,)."""
    return np.array([int(digit, len(DIGITS)) for digit in text], np.int64)


def of_pair(lone: Sequence[Ints], place: int, units: int) -> list[Ints]:
    """Return the points of one agent of a pair, first those of the line-up in which it is alone.

    Args:
        lone: For each line-up the points of the agent that is alone in it, (deals,).
        place: The number of the agent among the two.
        units: The largest possible points.
    """
    own = [points if alone == place else units - points for alone, points in enumerate(lone)]
    return own[::-1] if place else own


def scores(texts: Sequence[str], units: int, *, turned: bool = False) -> Floats:
    """Return the score of every deal, (deals,): the mean over the line-ups. With `turned` it is the opponent's."""
    own = np.mean([read(text) for text in texts], axis=0)
    return np.asarray((units - own if turned else own) / units)


def resampled(columns: Sequence[Floats], table: str, draws: int = DRAWS) -> Floats:
    """Return the means of scores at one table in the same samples of its deals, (draws, columns).

    A column with fewer deals has the first ones. Its mean is NaN in samples without any of them.
    """
    most = max(map(len, columns))
    padded = [(np.pad(column, (0, most - len(column))), np.arange(most) < len(column)) for column in columns]
    sums, counts = (np.stack(part, axis=1) for part in zip(*padded, strict=True))
    seed = list(suite.TABLES).index(table)  # deals of different tables are independent
    with np.errstate(invalid="ignore"):
        return np.concatenate([(w @ sums) / (w @ counts) for w in resamples(most, seed, draws)])


def estimates(columns: Mapping[str, Floats], table: str) -> dict[str, Row]:
    """Return the mean score of every column with its interval, by name."""
    if not columns:
        return {}
    drawn = resampled(list(columns.values()), table)
    return {
        name: asdict(estimate_from(float(column.mean()), drawn[:, i], len(column), SHARE))
        for i, (name, column) in enumerate(columns.items())
    }


class Mean(NamedTuple):
    """A mean of scores, its resampled values, and the ends that its interval has at least."""

    mean: float
    drawn: Floats  # (DRAWS,)
    low: float
    high: float
    deals: int  # the fewest of all scores

    def row(self) -> Row:
        """Return the mean with its interval: of the resampled values, or of the least ends if they are wider."""
        low, high = interval(self.drawn)
        low, high = max(SHARE[0], min(low, self.low)), min(SHARE[1], max(high, self.high))
        return asdict(Estimate(self.mean, low, high, self.deals))


def mean(columns: Sequence[Floats], opponents: int, table: str) -> Mean:
    """Return the mean over opponents at a table. Those without scores count EVEN."""
    even = Mean(suite.EVEN, np.full(DRAWS, suite.EVEN), suite.EVEN, suite.EVEN, suite.DEALS)
    drawn = resampled(columns, table) if columns else np.empty((DRAWS, 0))
    parts = [_mean(column, drawn[:, i]) for i, column in enumerate(columns)]
    return weighted([*parts, *[even] * (opponents - len(columns))], [1 / opponents] * opponents)


def weighted(parts: Sequence[Mean], weights: Sequence[float]) -> Mean:
    """Return the weighted mean of means. Its least ends are the means of theirs."""
    drawn = np.average([part.drawn for part in parts], axis=0, weights=weights)
    ends = ([getattr(part, name) for part in parts] for name in ("mean", "low", "high"))
    middle, low, high = (float(np.average(values, weights=weights)) for values in ends)
    return Mean(middle, drawn, low, high, min(part.deals for part in parts))


def _mean(column: Floats, drawn: Floats) -> Mean:
    """Return the mean of one opponent; its least ends are those of `intervals.estimate_from`."""
    middle, missed = float(column.mean()), unseen(len(column))
    return Mean(middle, drawn, middle - missed * middle, middle + missed * (1 - middle), len(column))
