"""Measure kingmaking: how often the last player decides between two others.

A decision of the team with the lowest expected score is kingmaking under two conditions. Two of its actions are as good
for the team itself. One of the others is clearly ahead of another after the first action, and clearly behind it after
the second. Scores come from the playouts of `agency`: all actions are played in the same sampled deals.

The most extreme of several averages is often chance. So one half of the sampled deals chooses the two actions and the
two others, and the other half measures them. Then the halves change roles. The figure of a decision is the share of the
halves that are clear.
"""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import Bools, Ints, share

from ..harness.figures import Figure, Floats, average
from .tension import BY_TENTH

OWN = 0.05  # largest loss of the own expected score by an action that is as good as the best one
ERRORS = 2.0  # standard errors of a clear lead
FEWEST = 3  # teams, so that there are two others
KINGMAKING = share(
    "kingmaking decisions",
    "Decisions of the team that is last by its expected score at which two actions are as good for itself, and choose "
    f"which of two others is ahead. As good means: within {OWN} of its best expected score.",
)
BY_TENTHS = share("kingmaking decisions, over a game", "The same share in each tenth of a game.", BY_TENTH)
DEALS = share(
    "deals with kingmaking",
    "Deals in which the last team has such a decision. One decision in each tenth of a game is looked at, so there are "
    "more of them.",
)


def figures(game: Game) -> list[Figure]:
    """Return all figures of the column `king`, with the column `tenth` beside it; none with fewer than three teams."""
    if len(game.teams) < FEWEST:
        return []
    king = pl.col("king")
    tenths = [
        average(BY_TENTHS, pl.when(pl.col("tenth") == k).then(king), name) for k, name in enumerate(BY_TENTH.names)
    ]
    deals = Figure(DEALS, ((king.max() == 1).fill_null(False).cast(pl.Float64), (king.count() > 0).cast(pl.Float64)))
    return [average(KINGMAKING, king), *tenths, deals]


def decided(scores: Floats, teams: Ints, tried: Bools) -> Floats:
    """Return the share of the halves of the samples in which each decision is kingmaking, (k,); NaN unless last.

    Args:
        scores: Scores of all teams after every action, shape (k, actions, samples, teams).
        teams: The team that decides, shape (k,).
        tried: Whether there is an action, shape (k, actions).
    """
    k, _, _, count = scores.shape
    if count < FEWEST:
        return np.full(k, np.nan)
    means = np.where(tried[:, :, None], scores.mean(axis=2), np.nan)
    whole = np.nanmean(means, axis=1)  # (k, teams)
    own = whole[np.arange(k), teams]
    others = np.arange(count) != teams[:, None]
    is_last = (own[:, None] < np.where(others, whole, np.inf)).all(axis=1, where=others)
    halves = scores[:, :, ::2], scores[:, :, 1::2]
    found = np.mean([_clear(*roles, teams, tried) for roles in (halves, halves[::-1])], axis=0)
    return np.where(is_last, found, np.nan)


def _clear(choosing: Floats, measuring: Floats, teams: Ints, tried: Bools) -> Bools:
    """Choose two actions and two other teams by some samples, and return whether others show that they decide, (k,)."""
    every, means = np.arange(len(choosing)), choosing.mean(axis=2)  # (k, actions, teams)
    own = np.where(tried, np.take_along_axis(means, teams[:, None, None], axis=2)[:, :, 0], -np.inf)
    is_free = own >= own.max(axis=1, keepdims=True) - OWN
    best, result = np.zeros(len(every)), np.zeros(len(every), np.bool_)
    for one, other in itertools.combinations(range(choosing.shape[3]), 2):
        leads = means[:, :, one] - means[:, :, other]
        up, down = np.where(is_free, leads, -np.inf).argmax(axis=1), np.where(is_free, leads, np.inf).argmin(axis=1)
        swing = np.minimum(leads[every, up], -leads[every, down])
        is_best = (swing > best) & (teams != one) & (teams != other)
        lead = measuring[:, :, :, one] - measuring[:, :, :, other]
        clear = _is_above(lead[every, up]) & _is_above(-lead[every, down])
        result, best = np.where(is_best, clear, result), np.where(is_best, swing, best)
    return result


def _is_above(samples: Floats) -> Bools:
    """Return whether the means of samples (k, n) are clearly above 0."""
    errors = samples.std(axis=1, ddof=1) / np.sqrt(samples.shape[1])
    return np.asarray((samples.mean(axis=1) > 0) & (samples.mean(axis=1) > ERRORS * errors))
