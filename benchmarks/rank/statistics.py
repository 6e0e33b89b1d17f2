"""Statistics over games and training seeds.

They follow Agarwal et al., Deep Reinforcement Learning at the Edge of the Statistical Precipice, 2021.

Every run is a score with an interval over its deals. All seeds of an agent play the same deals, so the luck of these
deals does not shrink with more seeds. The figures cover the luck of training where a game has several seeds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from tantra_envs.matches.intervals import DRAWS, Estimate, interval
from tantra_envs.matches.playing import Floats

from ..harness.formatting import Row

WIDTH = 3.92  # of a 95 % interval, in standard deviations
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)  # 97.5 % quantiles of Student's t for 2, 3, .. seeds
Groups = Mapping[str, Sequence[Row]]  # the scores of all seeds, by game


def over_seeds(scores: Sequence[Row]) -> Row:
    """Return the mean score over the seeds of training, with a 95 % interval.

    The interval of one seed covers the deals. That of several seeds also covers the seeds, by Student's t.
    """
    if len(scores) == 1:
        return dict(scores[0])
    means = [score["mean"] for score in scores]
    mean = float(np.mean(means))
    deals = float(np.mean([score["high"] - score["low"] for score in scores])) / 2
    seeds = STUDENT[min(len(means) - 1, len(STUDENT)) - 1] * float(np.std(means, ddof=1)) / math.sqrt(len(means))
    half = math.hypot(deals, seeds)
    least = min(score["n"] for score in scores)
    return {"mean": mean, "low": max(0.0, mean - half), "high": min(1.0, mean + half), "n": least}


def iqm(runs: Groups) -> Estimate:
    """Return the interquartile mean over games: the mean without the lowest and the highest quarter.

    Games count equally, and so do the seeds of a game. The interval comes from those of `over_seeds`.
    """
    rng = np.random.default_rng(0)
    means = np.array([run["mean"] for group in runs.values() for run in group])
    weights = np.concatenate([np.full(len(group), 1 / len(group) / len(runs)) for group in runs.values()])
    drawn = np.concatenate([_resampled(group, rng) for group in runs.values()], axis=1)
    low, high = interval(_middle(drawn, weights))
    return Estimate(float(_middle(means[None], weights)[0]), low, high, len(means))


def improvement(ours: Groups, theirs: Groups) -> float:
    """Return the probability that a run of ours is better than one of theirs in a game drawn at random.

    Raises:
        ValueError: They have no game in common.
    """
    games = [game for game in ours if game in theirs]
    if not games:
        raise ValueError("the probability of improvement needs a game that both played")
    pairs = [[_above(one, other) for one in ours[game] for other in theirs[game]] for game in games]
    return float(np.mean([np.mean(chances) for chances in pairs]))


def profile(runs: Groups, levels: Floats) -> Floats:
    """Return the share of games with a score of at least each level, shape of `levels`. Games count equally."""
    games = [np.array([run["mean"] for run in group]) for group in runs.values()]
    return np.asarray(np.mean([(means[None] >= levels[:, None]).mean(axis=1) for means in games], axis=0))


def _error(run: Row) -> float:
    return float(run["high"] - run["low"]) / WIDTH


def _above(one: Row, other: Row) -> float:
    spread = math.hypot(_error(one), _error(other))
    difference = one["mean"] - other["mean"]
    if not spread:
        return (1 + math.copysign(1, difference)) / 2 if difference else 0.5
    return (1 + math.erf(difference / spread / math.sqrt(2))) / 2


def _resampled(group: Sequence[Row], rng: np.random.Generator) -> Floats:
    """Return drawn scores of the seeds of a game, (DRAWS, seeds). A draw moves them all by the error of their mean."""
    means = np.array([run["mean"] for run in group])
    return np.asarray(means + _error(over_seeds(group)) * rng.normal(size=(DRAWS, 1)))


def _middle(scores: Floats, weights: Floats) -> Floats:
    """Return the mean of the middle half of every row. Weights add up to 1; scores at the quartiles count in part."""
    order = scores.argsort(axis=1)
    ends = weights[order].cumsum(axis=1)
    parts = np.clip(np.minimum(ends, 0.75) - np.maximum(ends - weights[order], 0.25), 0, None)
    return np.asarray((np.take_along_axis(scores, order, axis=1) * parts).sum(axis=1) / parts.sum(axis=1))
