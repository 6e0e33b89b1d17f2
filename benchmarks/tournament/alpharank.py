"""Compute alpha-rank: how much agents spread in a population that imitates success.

A whole population plays one agent, and now and then a newcomer plays another. The better the newcomer scores, the more
probable it is that it takes over (its fixation probability). The rank of an agent is the share of time that the
population plays it. Unlike a mean score this detects cycles, and an agent gains nothing by beating weak agents.

Omidshafiei et al., Scientific Reports 2019.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tantra_envs.matches.playing import Floats

ALPHA = 100.0  # strength of selection: preference for the better agent
POPULATION = 50
NEVER = 1e-250  # lower bound of probabilities, above 0 so that every agent can be reached


def alpha_rank(margins: npt.ArrayLike) -> Floats:
    """Return the share of time of each agent, shape (agents,), with sum 1.

    Args:
        margins: Shape (agents, agents). `margins[i, j]` is the score of agent i alone among copies of j minus theirs.
    """
    margin = np.asarray(margins, np.float64)
    moves = fixation_probability(margin).T / (len(margin) - 1)
    np.fill_diagonal(moves, 0.0)
    return _stationary(moves)


def fixation_probability(margin: Floats) -> Floats:
    """Return the probability that one i replaces a population of js: 1 / population for equal agents."""
    gain = ALPHA * margin
    safe = np.where(gain == 0, 1.0, gain)
    with np.errstate(over="ignore"):  # exp of a large number is infinite, so the probability is 0
        chance = np.where(gain == 0, 1 / POPULATION, np.expm1(-safe) / np.expm1(-POPULATION * safe))
    return np.asarray(np.maximum(np.nan_to_num(chance), NEVER))


def _stationary(moves: Floats) -> Floats:
    """Return the stationary distribution of rates (n, n) by the GTH algorithm.

    The algorithm never subtracts, so tiny rates stay exact. Grassmann, Taksar and Heyman, Operations Research 33
    (1985).
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
