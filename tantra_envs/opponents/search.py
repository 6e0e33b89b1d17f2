"""Search: try the best actions of the scripted agent in sampled deals, and play the one with the best mean result.

At every decision the best few actions of the scripted agent are candidates. The cards that the seat cannot know are
sampled a number of times. In each sampled deal every candidate is played, and then the scripted agent plays for every
seat, from what that seat sees. Each round drops half of the candidates and doubles the samples (sequential halving:
Karnin, Koren and Somekh, ICML 2013). An action replaces the choice of the scripted agent only if it is better by more
than `margin` standard errors of the difference, because the best of many averages is often lucky.

An action that ends the game at once, in every sample with the best result of any candidate, is played whatever else
promises. Of actions whose playouts all end with this result, the one with the shorter way comes first.

With `eta` the agent of the playouts is a network, and search takes one step of mirror descent from its policy. It plays
a sample of p(action) x exp(eta x result), over the candidates. So a small gain changes the policy a little, and the
decision stays hard to predict. All candidates are then tried in all samples (update-equivalent search: Sokota et al.,
arXiv 2304.13138).

A budget counts samples, not seconds, so that results are reproducible. `ms` is for games against people.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.locks import SharedLock
from ..core.observation import Actions, Observation
from ..core.playouts import FOREVER, Playouts, chosen, endings, rated
from ..core.state import States
from ..opinions import Opinion
from . import budgets, networks
from .belief import likely_deals

Floats = npt.NDArray[np.float64]
ROOM = 1 << 26  # bytes of tables in playouts at a time
MIN_ERROR = 1e-6  # a few equal samples are not certainty
FIRST_SAMPLES = 8  # of a search by time, which doubles them
MINIMA = {"samples": 1, "candidates": 1, "horizon": 0, "plies": 0, "margin": 0, "ms": 1, "eta": 0}
ALLOWED: dict[str, Any] = {name: (least, FOREVER) for name, least in MINIMA.items()} | {"belief": ("even", "moves")}
REFUSED = (
    "samples=1.., candidates=1.., horizon=0.., plies=0.. (0 = to the end), margin=0.., belief=even|moves, ms=1.., "
    "eta=0.. (with base=learned or ppo:FILE)"
)


@dataclass(frozen=True)
class Budget:
    """The budget of one decision."""

    samples: int = 16  # sampled deals in which the last candidates are compared
    candidates: int = 8  # number of actions to compare, with the scripted agent's choice
    horizon: int = 0  # end of playouts, in units of the scripted agent's `clock`; 0 = the end of the game
    plies: int = 0  # largest number of actions in a playout; 0 = no limit
    margin: float = 1.0  # standard errors by which another action must be better
    belief: str = "even"  # weights of samples: equal, or by the others' past decisions ("moves")
    ms: int = 0  # milliseconds for every call instead of samples: not reproducible
    eta: float = 0.0  # weight of the results next to the log-probabilities of a network; 0 = play the best action


class Tries(NamedTuple):
    """The playouts of the candidates at some tables."""

    values: Floats  # (k, candidates, samples): scores of the seat's team, NaN = not tried
    lengths: Floats  # the same shape: actions to the end of the game, inf = the playout stopped before

    def part(self, samples: int) -> Tries:
        """Return views of the first samples."""
        return Tries(self.values[:, :, :samples], self.lengths[:, :, :samples])


class Search:
    """An agent that searches over the game's scripted agent.

    Threads can share a search: it makes one decision after another. For speed give each thread its own search.

    Args:
        game: The game.
        options: The number of samples, or for example `samples=64,candidates=8,horizon=1,margin=2`. The game sets the
            defaults.

    Attributes:
        simulations: Playouts so far.
        decisions: Decisions so far. A decision has two or more legal actions.
        deviations: Decisions against the scripted agent's choice so far.
        milliseconds: Time of all calls so far.
    """

    def __init__(self, game: Game, options: str = "") -> None:
        self.name = f"search:{options}" if options else "search"
        usual = Budget(**game.scripted.SEARCH)
        self.budget = budgets.read(usual, options, ALLOWED, lambda word: _refusal(game, word))
        self.origin = budgets.unusual(self.budget)
        self.remembers = self.budget.belief == "moves"  # environments then record past actions for it
        if self.remembers and game.drivers.log_likelihoods is None:
            why = "it cannot rewind its tables to past decisions, as Tarot can"
            raise ValueError(f"{game.name}: search:belief=moves is not allowed: {why}")
        self.simulations = self.decisions = self.deviations = 0
        self.milliseconds = 0.0
        self._game, self._playouts, self._work = game, Playouts(game), game.scripted.prepare(game)
        self._teams = np.array(game.team_numbers)
        self._opinions: list[Opinion | None] | None = None  # of all tables, during `weigh`
        self._lock = SharedLock()  # the scratch arrays serve one decision at a time

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the action with the best result at every table, shape (k,)."""
        with self._lock:
            return self._act(obs, rng)

    def _act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        began = time.perf_counter()
        scripted = chosen(self._game, obs.known, obs.action_mask, self._work)
        actions = scripted.copy()
        open_to_choice = np.flatnonzero(obs.action_mask.sum(axis=1) > 1)
        if len(open_to_choice):
            actions[open_to_choice] = self._decide(obs, open_to_choice, scripted, rng)
        self.decisions += len(open_to_choice)
        self.deviations += int((actions != scripted).sum())
        self.milliseconds += 1000 * (time.perf_counter() - began)
        return actions

    def weigh(self, obs: Observation, rng: np.random.Generator) -> tuple[Actions, list[Opinion | None]]:
        """Return the actions of `act`, shape (k,), and the results of the candidates at each table.

        A table with a single legal action has None instead of results.
        """
        opinions: list[Opinion | None] = [None] * len(obs)
        with self._lock:
            self._opinions = opinions
            try:
                return self._act(obs, rng), opinions
            finally:
                self._opinions = None

    def compare(
        self, obs: Observation, rows: Actions, actions: Actions, samples: int, rng: np.random.Generator
    ) -> Tries:
        """Return the playouts of actions (k, c), -1 = none, at the tables `rows` in equal samples."""
        tries = _untried(actions, samples)
        sampled = self._sample(obs, rows, samples, rng).reshape(len(rows), samples)
        with self._lock:
            wanted = np.broadcast_to(actions[:, :, None] >= 0, tries.values.shape)
            self._try(sampled, actions, wanted, obs.seat[rows], tries)
        return tries

    def _decide(self, obs: Observation, rows: Actions, scripted: Actions, rng: np.random.Generator) -> Actions:
        """Search with the samples of the budget; with a time budget, double the samples until the time is up."""
        if not self.budget.ms:
            return self._at_tables(obs, rows, scripted, rng, self.budget)
        began, samples = time.perf_counter(), FIRST_SAMPLES
        while True:
            actions = self._at_tables(obs, rows, scripted, rng, replace(self.budget, samples=samples))
            if 3000 * (time.perf_counter() - began) > self.budget.ms:  # twice as many would take too long
                return actions
            samples *= 2

    def _at_tables(
        self, obs: Observation, rows: Actions, scripted: Actions, rng: np.random.Generator, budget: Budget
    ) -> Actions:
        """Search at the tables `rows`, in parts that fit into memory."""
        most = max(budget.samples * (budget.candidates + 1), int(obs.action_mask[rows].sum(axis=1).max()))
        each = most * self._game.blank.dtype.itemsize
        parts = np.array_split(rows, -(-len(rows) * each // ROOM))
        return np.concatenate([self._best(obs, part, scripted[part], rng, budget) for part in parts if len(part)])

    def _best(
        self, obs: Observation, rows: Actions, scripted: Actions, rng: np.random.Generator, budget: Budget
    ) -> Actions:
        """Return the action that sequential halving chooses at each of the tables `rows`."""
        sampled = self._sample(obs, rows, budget.samples, rng).reshape(len(rows), budget.samples)
        actions = self.candidates(obs, rows, scripted, budget.candidates, np.ascontiguousarray(sampled[:, 0]))
        tries = _untried(actions, budget.samples)
        alive, teams = actions >= 0, len(self._game.teams)
        halvings = np.ceil(np.log2(np.maximum(2, alive.sum(axis=1)))).astype(np.int64)
        rounds = np.ones_like(halvings) if budget.eta else halvings  # of each table
        for left in range(int(rounds.max()) - 1, -1, -1):
            begun = rounds > left  # tables with few candidates begin later
            part = tries.part(max(1, budget.samples >> left))
            wanted = np.isnan(part.values) & (alive & begun[:, None])[:, :, None]
            self._try(sampled, actions, wanted, obs.seat[rows], part)
            if left:
                means = np.where(alive, part.values.mean(axis=2), -np.inf)
                alive[begun] = _better_half(means[begun], steps_to_best(part, teams)[begun], alive[begun])
        if self._opinions is not None:
            for row, table, values in zip(rows.tolist(), actions, tries.values, strict=True):
                self._opinions[row] = self._opinion(table, values)
        steps = np.where(alive, steps_to_best(tries, teams), np.inf)
        if budget.eta:
            ratings = np.take_along_axis(self._ratings(obs.known[rows], obs.action_mask[rows]), actions, axis=1)
            logits = np.where(alive, ratings + budget.eta * tries.values.mean(axis=2), -np.inf)
            drawn = networks.sampled_at(obs, rows, logits, rng)
            places = np.where(steps.min(axis=1) == 0, steps.argmin(axis=1), drawn)
        else:
            places = _surely_best(tries, steps, alive, budget.margin)
        return np.asarray(actions[np.arange(len(rows)), places])

    def _opinion(self, actions: Actions, values: Floats) -> Opinion:
        """Return the opinion with the values of a table's candidates (c,) in the samples (c, samples)."""
        tried = np.isfinite(values).sum(axis=1)
        rows = np.flatnonzero(tried)
        means, errors = (how(values[rows], axis=1) for how in (np.nanmean, np.nanstd))
        errors /= np.sqrt(np.maximum(1, tried[rows] - 1))
        unit = {1: "reward", 2: "win probability"}.get(len(self._game.teams), "share of the others beaten")
        names = actions[rows].tolist()
        by_action = (dict(zip(names, numbers.tolist(), strict=True)) for numbers in (means, errors))
        return Opinion(f"{unit}, in {values.shape[1]} sampled deals", *by_action)

    def _sample(self, obs: Observation, rows: Actions, samples: int, rng: np.random.Generator) -> States:
        """Return samples of each of the tables `rows`, with everything resampled that its seat cannot know."""
        if self.remembers:
            return likely_deals(obs, rows, samples, rng)
        return obs.determinize(samples, rng, rows)

    def candidates(self, obs: Observation, rows: Actions, scripted: Actions, most: int, sampled: States) -> Actions:
        """Return the actions to compare, (k, candidates), the scripted agent's first; -1 where there are fewer.

        An action that ends the game with a good score is always among them, also beyond the number of candidates.

        Args:
            obs: The tables.
            rows: The tables to look at, shape (k,).
            scripted: The scripted agent's actions there, shape (k,).
            most: The number of candidates.
            sampled: A sample of each of these tables, shape (k,).
        """
        masks, every = obs.action_mask[rows], np.arange(len(rows))
        ratings = self._ratings(obs.known[rows], masks)
        last = endings(self._game, sampled, masks, obs.seat[rows])
        ends = last >= 0
        ratings[every[ends], last[ends]] = np.finfo(np.float64).max
        ratings[every, scripted] = np.inf
        columns = min(max(most, 1 + int(ends.any())), int(masks.sum(axis=1).max()))
        best = np.argsort(-ratings, axis=1, kind="stable")[:, :columns]
        wanted = np.arange(columns) < np.maximum(most, 1 + ends)[:, None]
        return np.where(wanted & (masks[every[:, None], best] == 1), best, -1)

    def _ratings(self, known: States, masks: Any) -> Floats:
        """Return the ratings of all actions by the agent of the playouts; those of a network are logits."""
        with self._lock:
            return rated(self._game, known, masks, self._work)

    def _try(self, sampled: States, actions: Actions, wanted: Any, seats: Actions, tries: Tries) -> None:
        """Play candidates in samples (k, n) where `wanted` (k, c, w <= n) is true, and fill in `tries` there."""
        tables, candidates, samples = np.nonzero(wanted)
        states = sampled.take(tables * sampled.shape[1] + samples)  # copies whole records, faster than an index
        plies, horizon = self.budget.plies or FOREVER, self.budget.horizon or FOREVER
        scores, lengths = self._playouts.scores_and_lengths(states, actions[tables, candidates], plies, horizon)
        tries.values[tables, candidates, samples] = scores[np.arange(len(states)), self._teams[seats[tables]]]
        tries.lengths[tables, candidates, samples] = lengths
        self.simulations += len(states)


def _untried(actions: Actions, samples: int) -> Tries:
    """Return arrays for the playouts of actions (k, candidates)."""
    shape = (*actions.shape, samples)
    return Tries(np.full(shape, np.nan), np.full(shape, np.inf))


def steps_to_best(tries: Tries, teams: int) -> Floats:
    """Return the mean number of further actions to the best result at each table, shape (k, candidates).

    The best result is the highest score of any playout there, if it beats anybody. It is inf for candidates with a
    playout that does not end with it. It is 0 for candidates that end the game themselves in every sample, if they beat
    as many teams: more points of a longer way do not count against that.
    """
    values, lengths = tries
    tried = np.isfinite(values)
    beaten = np.round(values * (2 * (teams - 1))) if teams > 1 else values
    most, top = (np.where(tried, v, -np.inf).max(axis=(1, 2), keepdims=True) for v in (beaten, values))
    at_once = (~tried | ((lengths == 1) & (beaten == most))).all(axis=2)
    always = (~tried | (np.isfinite(lengths) & (values == top))).all(axis=2)
    steps = np.where(tried, lengths - 1, 0).sum(axis=2) / np.maximum(1, tried.sum(axis=2))
    steps = np.where(at_once, 0.0, np.where(always, steps, np.inf))
    return np.where(tried.any(axis=2) & (most[:, :, 0] > 0), steps, np.inf)


def best_first(means: Floats, steps: Floats) -> Actions:
    """Return the places of each table's candidates: by steps to the best result, then by mean, then as they are.

    All arrays have the shape (tables, candidates).
    """
    return np.lexsort((-means, steps))


def _better_half(means: Floats, steps: Floats, alive: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Keep half of each table's candidates: the first one, and the best ones of the others."""
    keep = np.maximum(2, -(-alive.sum(axis=1) // 2))
    means, steps = np.where(alive, means, -np.inf), np.where(alive, steps, np.inf)
    means[:, 0], steps[:, 0] = np.inf, -1
    best = best_first(means, steps)
    remaining = np.zeros_like(alive)
    np.put_along_axis(remaining, best, np.arange(alive.shape[1]) < keep[:, None], axis=1)
    return remaining & alive


def _surely_best(tries: Tries, steps: Floats, alive: npt.NDArray[np.bool_], margin: float) -> Actions:
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


def _refusal(game: Game, word: str) -> str:
    return f"{game.name}: search:{word} is not allowed; allowed: a number of samples, or {REFUSED}"
