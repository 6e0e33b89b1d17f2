"""Deals sampled for a seat, and resampled by how likely the past decisions of the others were in them.

A scripted agent would not have kept a King that it could have won with: a deal in which somebody did is less likely
than another. So more deals are sampled than are needed, and each is rewound to every decision the others have made
since the cards were dealt. The scripted agent says what it would have done there, from what that seat would have seen.
Nobody plays just like it, so no deal becomes impossible.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.observation import Actions, Observation
from ..core.state import States

DRAWN = 4  # deals are sampled for one that is kept


def likely_deals(obs: Observation, tables: Actions, copies: int, rng: np.random.Generator) -> States:
    """Return `copies` sampled deals of each of the `tables`, table by table, as `Observation.determinize` does."""
    drawn = DRAWN * copies
    sampled = obs.determinize(drawn, rng, tables)
    kept = [
        first + resampled(obs.log_odds(sampled[first : first + drawn], table), copies, obs.generator(rng, table))
        for first, table in zip(range(0, len(sampled), drawn), tables.tolist(), strict=True)
    ]
    return sampled[np.concatenate(kept)] if kept else sampled


def resampled(log_odds: npt.NDArray[np.float64], n: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the numbers of n deals, resampled systematically: each as often as is likely give or take one."""
    weights = np.exp(log_odds - log_odds.max()).cumsum()
    chosen = np.searchsorted(weights, weights[-1] * (np.arange(n) + rng.random()) / n, side="right")
    return rng.permutation(np.minimum(chosen, len(log_odds) - 1))
