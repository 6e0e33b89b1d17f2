"""Means over training seeds.

Every run is a value with an interval over its deals. All seeds of an agent play the same deals, so the luck of these
deals does not shrink with more seeds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..harness.formatting import Row
from .points import SHARE

STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)  # 97.5 % quantiles of Student's t for 2, 3, .. seeds
NO_BOUNDS = (-math.inf, math.inf)


def over_seeds(rows: Sequence[Row], bounds: tuple[float, float] = SHARE) -> Row:
    """Return the mean over the seeds of training, with a 95 % interval inside `bounds`.

    The interval of one seed covers the deals. That of several seeds also covers the seeds, by Student's t.
    """
    if len(rows) == 1:
        return dict(rows[0])
    means = [row["mean"] for row in rows]
    mean = float(np.mean(means))
    deals = float(np.mean([row["high"] - row["low"] for row in rows])) / 2
    seeds = STUDENT[min(len(means) - 1, len(STUDENT)) - 1] * float(np.std(means, ddof=1)) / math.sqrt(len(means))
    half = math.hypot(deals, seeds)
    least = min(row["n"] for row in rows)
    return {"mean": mean, "low": max(bounds[0], mean - half), "high": min(bounds[1], mean + half), "n": least}
