"""Sampled deals for a seat, resampled by the likelihood of the others' past decisions in them.

A scripted agent would have played a King that wins. So a deal in which somebody kept such a King is less likely than
another. More deals are sampled than are needed. Each is rewound to every decision of the others since the cards were
dealt. There it is compared with the scripted agent's decision from the observation of that seat. Agents differ from the
scripted agent, so no deal gets probability 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.observation import Actions, Observation
from ..core.state import States

DRAWN = 4  # sampled deals for each deal that is kept


def even_deals(obs: Observation, tables: Actions, copies: int, rng: np.random.Generator) -> States:
    """Return `copies` sampled deals of each of the `tables`, all equally likely, table by table."""
    return obs.determinize(copies, rng, tables)


def likely_deals(obs: Observation, tables: Actions, copies: int, rng: np.random.Generator) -> States:
    """Return `copies` sampled deals of each of the `tables`, table by table, as `Observation.determinize` does."""
    draws = DRAWN * copies
    sampled = obs.determinize(draws, rng, tables)
    rows = [
        first + resampled(obs.log_odds(sampled[first : first + draws], table), copies, obs.generator(rng, table))
        for first, table in zip(range(0, len(sampled), draws), tables.tolist(), strict=True)
    ]
    return sampled[np.concatenate(rows)] if rows else sampled


def resampled(log_odds: npt.NDArray[np.float64], n: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """Return the numbers of n deals, resampled systematically: each n times its probability, rounded up or down."""
    weights = np.exp(log_odds - log_odds.max()).cumsum()
    chosen = np.searchsorted(weights, weights[-1] * (np.arange(n) + rng.random()) / n, side="right")
    return rng.permutation(np.minimum(chosen, len(log_odds) - 1))
