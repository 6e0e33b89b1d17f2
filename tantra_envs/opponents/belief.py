"""Worlds by what others did: drawn for a seat, then drawn again by how likely the others' past decisions were in them.

A scripted player would not have kept a King that it could have won with: a world in which somebody did is less likely
than another. So more worlds are drawn than are needed, each is rewound to every decision the others have made since
the cards were dealt, and the scripted player says what it would have done there, from what that seat would have seen.
Nobody plays just like it, so no world becomes impossible.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.observation import Actions, Observation
from ..core.state import States

DRAWN = 4  # worlds are drawn for one that is kept


def likely_worlds(obs: Observation, tables: Actions, copies: int, rng: np.random.Generator) -> States:
    """`copies` worlds of each of the `tables`, table by table, as `Observation.determinize` gives them."""
    drawn = DRAWN * copies
    worlds = obs.determinize(drawn, rng, tables)
    kept = [
        first + resampled(obs.log_odds(worlds[first : first + drawn], table), copies, obs.generator(rng, table))
        for first, table in zip(range(0, len(worlds), drawn), tables.tolist(), strict=True)
    ]
    return worlds[np.concatenate(kept)] if kept else worlds


def resampled(log_odds: npt.NDArray[np.float64], n: int, rng: np.random.Generator) -> npt.NDArray[np.int64]:
    """The numbers of n worlds, each as often as is likely give or take one: systematic resampling, in any order."""
    weights = np.exp(log_odds - log_odds.max()).cumsum()
    chosen = np.searchsorted(weights, weights[-1] * (np.arange(n) + rng.random()) / n, side="right")
    return rng.permutation(np.minimum(chosen, len(log_odds) - 1))
