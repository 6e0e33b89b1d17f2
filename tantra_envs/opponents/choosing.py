"""How a search compares its candidates: by sequential halving, or by a step of mirror descent from a policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..core.observation import Actions, Observation
from . import networks

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
MIN_ERROR = 1e-6  # a few equal samples are not certainty


class Tries(NamedTuple):
    """The playouts of the candidates at some tables."""

    values: Floats  # (k, candidates, samples): scores of the seat's team, NaN = not tried
    lengths: Floats  # the same shape: see `Playouts.scores_and_lengths`

    def part(self, samples: int) -> Tries:
        """Return views of the first samples."""
        return Tries(self.values[:, :, :samples], self.lengths[:, :, :samples])


class Choice(Protocol):
    """How a search compares its candidates (k, candidates) and chooses one of them."""

    def rounds(self, counts: Actions) -> Actions:
        """Return the number of rounds, shape (k,), for tables with `counts` candidates. Each halves the candidates."""
        ...

    def places(
        self, obs: Observation, rows: Actions, actions: Actions, tries: Tries, alive: Flags, rng: np.random.Generator
    ) -> Actions:
        """Return the place of the chosen candidate at each of the tables `rows`, shape (k,)."""
        ...

    def best(self, obs: Observation, rows: Actions, actions: Actions, tries: Tries, alive: Flags) -> Actions:
        """Return the place of the best candidate at each of the tables `rows`, without chance, shape (k,)."""
        ...


class Halving:
    """Sequential halving. The best candidate replaces the first one if its gain is clear.

    Args:
        teams: The number of teams.
        margin: Standard errors by which it must be better.
    """

    def __init__(self, teams: int, margin: float) -> None:
        self._teams, self._margin = teams, margin

    def rounds(self, counts: Actions) -> Actions:
        """Return the rounds after which two candidates are left."""
        return np.ceil(np.log2(np.maximum(2, counts))).astype(np.int64)

    def places(
        self, obs: Observation, rows: Actions, actions: Actions, tries: Tries, alive: Flags, rng: np.random.Generator
    ) -> Actions:
        """Return the place of the best candidate."""
        return self.best(obs, rows, actions, tries, alive)

    def best(self, obs: Observation, rows: Actions, actions: Actions, tries: Tries, alive: Flags) -> Actions:
        """Return the place of the best candidate, or 0 where its gain is not clear."""
        steps = np.where(alive, steps_to_best(tries, self._teams), np.inf)
        return _surely_best(tries, steps, alive, self._margin)


class MirrorStep:
    """One step of mirror descent: a sample of p(action) x exp(eta x result), after one round with all candidates.

    Args:
        teams: The number of teams.
        eta: The weight of the results.
        rate: Returns the logits of all actions, (k, actions.size), at some of the tables of an observation.
    """

    def __init__(self, teams: int, eta: float, rate: Callable[[Observation, Actions], Floats]) -> None:
        self._teams, self._eta, self._rate = teams, eta, rate

    def rounds(self, counts: Actions) -> Actions:
        """Return one round for every table."""
        return np.ones_like(counts)

    def places(
        self, obs: Observation, rows: Actions, actions: Actions, tries: Tries, alive: Flags, rng: np.random.Generator
    ) -> Actions:
        """Return the place of a sampled candidate, or of a last action with the best result."""
        drawn = networks.sampled_at(obs, rows, self._logits(obs, rows, actions, tries, alive), rng)
        return self._or_end(drawn, tries, alive)

    def best(self, obs: Observation, rows: Actions, actions: Actions, tries: Tries, alive: Flags) -> Actions:
        """Return the place of the most probable candidate, or of a last action with the best result."""
        return self._or_end(self._logits(obs, rows, actions, tries, alive).argmax(axis=1), tries, alive)

    def _logits(self, obs: Observation, rows: Actions, actions: Actions, tries: Tries, alive: Flags) -> Floats:
        """Return the logits of the candidates after the step, shape (k, candidates)."""
        ratings = np.take_along_axis(self._rate(obs, rows), actions, axis=1)
        return np.where(alive, ratings + self._eta * tries.values.mean(axis=2), -np.inf)

    def _or_end(self, places: Actions, tries: Tries, alive: Flags) -> Actions:
        """Return the place of a last action with the best result where there is one, else `places`."""
        ends = alive & (steps_to_best(tries, self._teams) == 0)
        return np.where(ends.any(axis=1), ends.argmax(axis=1), places)


def untried(actions: Actions, samples: int) -> Tries:
    """Return arrays for the playouts of actions (k, candidates)."""
    shape = (*actions.shape, samples)
    return Tries(np.full(shape, np.nan), np.full(shape, np.inf))


def steps_to_best(tries: Tries, teams: int) -> Floats:
    """Return the mean number of further actions to the best result at each table, shape (k, candidates).

    The best result is the highest score of any playout there, if it beats anybody. It is inf for candidates with a
    playout that does not end with it. It is 0 for candidates that are the last action of the team in every sample, if
    they beat as many teams: more points of a longer way do not count against that.
    """
    values, lengths = tries
    tried = np.isfinite(values)
    beaten = np.round(values * (2 * (teams - 1))) if teams > 1 else values
    most, top = (np.where(tried, v, -np.inf).max(axis=(1, 2), keepdims=True) for v in (beaten, values))
    cut = lengths == 0  # a limit ended the game of the others, so the place was not paid
    at_once = (~tried | cut | ((lengths == 1) & (beaten == most))).all(axis=2) & (tried & ~cut).any(axis=2)
    always = (~tried | (np.isfinite(lengths) & (values == top))).all(axis=2)
    steps = np.where(tried, lengths - 1, 0).sum(axis=2) / np.maximum(1, tried.sum(axis=2))
    steps = np.where(at_once, 0.0, np.where(always, steps, np.inf))
    return np.where(tried.any(axis=2) & (most[:, :, 0] > 0), steps, np.inf)


def best_first(means: Floats, steps: Floats) -> Actions:
    """Return the places of each table's candidates: by steps to the best result, then by mean, then as they are.

    All arrays have the shape (tables, candidates).
    """
    return np.lexsort((-means, steps))


def better_half(means: Floats, steps: Floats, alive: Flags) -> Flags:
    """Keep half of each table's candidates: the first one, and the best ones of the others."""
    keep = np.maximum(2, -(-alive.sum(axis=1) // 2))
    means, steps = np.where(alive, means, -np.inf), np.where(alive, steps, np.inf)
    means[:, 0], steps[:, 0] = np.inf, -1
    best = best_first(means, steps)
    remaining = np.zeros_like(alive)
    np.put_along_axis(remaining, best, np.arange(alive.shape[1]) < keep[:, None], axis=1)
    return remaining & alive


def _surely_best(tries: Tries, steps: Floats, alive: Flags, margin: float) -> Actions:
    """Return the place of each table's best candidate, or 0 if its gain over the first one is not clear.

    Between ways to the same result the gain is the number of actions that are saved.
    """
    values, lengths = tries
    best = best_first(np.where(alive, values.mean(axis=2), -np.inf), steps)[:, 0]
    every = np.arange(len(best))
    same = np.isfinite(steps[:, 0])[:, None]
    saved = np.subtract(lengths[:, 0], lengths[every, best], where=same, out=np.zeros_like(lengths[:, 0]))
    gains = np.where(same, saved, values[every, best] - values[:, 0])
    errors = gains.std(axis=1) / np.sqrt(max(1, gains.shape[1] - 1))
    unclear = gains.mean(axis=1) <= margin * np.maximum(errors, MIN_ERROR)
    best[unclear & (steps[every, best] > 0)] = 0
    return best
