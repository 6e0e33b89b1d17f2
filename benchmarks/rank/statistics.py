"""Statistics over games and training seeds.

They follow Agarwal et al., Deep Reinforcement Learning at the Edge of the Statistical Precipice, 2021.

Every run is a score with an interval over its deals. Runs are resampled by a normal distribution with that interval, so
all figures here cover the luck of the deals. They cover the luck of training only where a game has several seeds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from tantra_envs.matches.intervals import DRAWS, Estimate, interval
from tantra_envs.matches.playing import Floats

from .results import Row

WIDTH = 3.92  # of a 95 % interval, in standard deviations


def iqm(runs: Sequence[Row]) -> Estimate:
    """Return the interquartile mean of the scores of runs: the mean without the lowest and the highest quarter."""
    means = np.array([run["mean"] for run in runs])
    errors = np.array([_error(run) for run in runs])
    drawn = np.random.default_rng(0).normal(means, errors, size=(DRAWS, len(runs)))
    low, high = interval(_middle(drawn))
    return Estimate(float(_middle(means[None])[0]), low, high, len(runs))


def improvement(ours: Mapping[str, Sequence[Row]], theirs: Mapping[str, Sequence[Row]]) -> float:
    """Return the probability that a run of ours is better than one of theirs in a game drawn at random.

    Raises:
        ValueError: They have no game in common.
    """
    games = [game for game in ours if game in theirs]
    if not games:
        raise ValueError("the probability of improvement needs a game that both played")
    pairs = [[_above(one, other) for one in ours[game] for other in theirs[game]] for game in games]
    return float(np.mean([np.mean(chances) for chances in pairs]))


def profile(runs: Sequence[Row], levels: Floats) -> Floats:
    """Return the share of runs with a score of at least each level, shape of `levels`."""
    means = np.array([run["mean"] for run in runs])
    return np.asarray((means[None] >= levels[:, None]).mean(axis=1))


def _error(run: Row) -> float:
    return float(run["high"] - run["low"]) / WIDTH


def _above(one: Row, other: Row) -> float:
    spread = math.hypot(_error(one), _error(other))
    difference = one["mean"] - other["mean"]
    if not spread:
        return (1 + math.copysign(1, difference)) / 2 if difference else 0.5
    return (1 + math.erf(difference / spread / math.sqrt(2))) / 2


def _middle(scores: Floats) -> Floats:
    """Return the mean of the middle half of every row; scores at the quartiles count in part."""
    ordered, count = np.sort(scores, axis=1), scores.shape[1]
    ends = np.arange(count + 1)
    weights = np.clip(np.minimum(ends[1:], 0.75 * count) - np.maximum(ends[:-1], 0.25 * count), 0, 1)
    return np.asarray(ordered @ (weights / weights.sum()))
