"""Alpha-rank: which agents last when players imitate who does better (Omidshafiei et al., Scientific Reports 2019).

A whole population plays one agent; now and then a newcomer plays another. The better it does among the others, the
likelier it takes over (its fixation probability). The share of time the population spends with each agent is its rank.
Unlike a mean score this sees cycles, and an agent gains nothing by beating the weak.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tantra_envs.matches.playing import Floats

ALPHA = 100.0  # how strongly the better one is preferred
POPULATION = 50
NEVER = 1e-250  # a chance too small for a float is not none: every agent can be reached


def alpha_rank(margins: npt.ArrayLike) -> Floats:
    """The share of time of each agent, shape (agents,), summing to 1.

    `margins[i, j]`: what agent i scores alone among js, less what they score then.
    """
    margin = np.asarray(margins, np.float64)
    moves = fixation_probability(margin).T / (len(margin) - 1)
    np.fill_diagonal(moves, 0.0)
    return _stationary(moves)


def fixation_probability(margin: Floats) -> Floats:
    """The chance that one i among a population of js replaces them all: 1 / population if they are level."""
    gain = ALPHA * margin
    safe = np.where(gain == 0, 1.0, gain)
    with np.errstate(over="ignore"):  # exp of a large number: the chance is 0 then
        chance = np.where(gain == 0, 1 / POPULATION, np.expm1(-safe) / np.expm1(-POPULATION * safe))
    return np.asarray(np.maximum(np.nan_to_num(chance), NEVER))


def _stationary(moves: Floats) -> Floats:
    """The stationary distribution of rates (n, n), by the GTH algorithm, which never subtracts: tiny rates stay exact.

    Grassmann, Taksar and Heyman, Operations Research 33 (1985).
    """
    rates, n = moves.copy(), len(moves)
    for k in range(n - 1, 0, -1):
        rates[:k, k] /= rates[k, :k].sum()
        rates[:k, :k] += np.outer(rates[:k, k], rates[k, :k])
    shares = np.ones(n)
    for k in range(1, n):
        shares[k] = shares[:k] @ rates[:k, k]
        shares /= shares.max()
    return np.asarray(shares / shares.sum())
