"""Find leads: which team is alone at the top, how often that changes, and how often the leader wins.

A team leads when it is better than every other. While the best teams are level, the lead does not change. The same
functions are used for points and for win probabilities, where the leader is called the favourite.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

NOBODY = -1
MARKS = range(1, 10)  # after these tenths of a game's actions
HALF = 5

Teams = npt.NDArray[np.int8]  # value in place of a team
Floats = npt.NDArray[np.float64]


def sole_best(values: npt.NDArray[Any]) -> Teams:
    """Return the team with more than every other, or NOBODY, shape (n,), from values (n, teams)."""
    best = values.max(axis=1, keepdims=True)
    return np.where((values == best).sum(axis=1) == 1, values.argmax(axis=1), NOBODY).astype(np.int8)


def holders(best: Iterable[Teams]) -> npt.NDArray[np.int8]:
    """Return the holder of the lead at each moment (moments, n), NOBODY before the first lead."""
    leading = np.stack(list(best))
    for moment in range(1, len(leading)):
        leading[moment] = np.where(leading[moment] == NOBODY, leading[moment - 1], leading[moment])
    return leading


def changes(leading: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """Return how often the lead passed from one team to another, shape (n,). The first lead does not count."""
    return np.asarray(((leading[1:] != leading[:-1]) & (leading[:-1] != NOBODY)).sum(axis=0))


def score_of(teams: Teams, scores: Floats) -> Floats:
    """Return the scores of teams (n,) from scores (n, teams); NaN for NOBODY."""
    return np.where(teams == NOBODY, np.nan, scores[np.arange(len(teams)), teams])
