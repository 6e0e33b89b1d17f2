"""Search: try the best actions of the scripted agent in sampled deals, and play the one with the best mean result.

At every decision the best few actions of the scripted agent are candidates. The cards that the seat cannot know are
sampled a number of times. In each sampled deal every candidate is played, and then the scripted agent plays for every
seat, from what that seat sees. Each round drops half of the candidates and doubles the samples (sequential halving:
Karnin, Koren and Somekh, ICML 2013). An action replaces the choice of the scripted agent only if it is better by more
than `margin` standard errors of the difference, because the best of many averages is often lucky.

With `eta` the agent of the playouts is a network, and search takes one step of mirror descent from its policy. It plays
a sample of p(action) x exp(eta x result), over the candidates. So a small gain changes the policy a little, and the
decision stays hard to predict. All candidates are then tried in all samples (update-equivalent search: Sokota et al.,
arXiv 2304.13138).

A budget counts samples, not seconds, so that results are reproducible. `ms` is for games against people.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.locks import SharedLock
from ..core.observation import Actions, Observation
from ..core.playouts import FOREVER, Playouts, chosen, rated
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
    ) -> Floats:
        """Return the values (k, c, samples) of actions (k, c), -1 = none, at the tables `rows` in equal samples."""
        values = np.zeros((*actions.shape, samples))
        sampled = self._sample(obs, rows, samples, rng).reshape(len(rows), samples)
        with self._lock:
            self._try(sampled, actions, np.broadcast_to(actions[:, :, None] >= 0, values.shape), obs.seat[rows], values)
        return values

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
        each = budget.samples * (budget.candidates + 1) * self._game.blank.dtype.itemsize
        parts = np.array_split(rows, -(-len(rows) * each // ROOM))
        return np.concatenate([self._best(obs, part, scripted[part], rng, budget) for part in parts if len(part)])

    def _best(
        self, obs: Observation, rows: Actions, scripted: Actions, rng: np.random.Generator, budget: Budget
    ) -> Actions:
        """Return the action that sequential halving chooses at each of the tables `rows`."""
        actions = self.candidates(obs.known[rows], obs.action_mask[rows], scripted, budget.candidates)
        sampled = self._sample(obs, rows, budget.samples, rng).reshape(len(rows), budget.samples)
        values = np.full((*actions.shape, budget.samples), np.nan)  # NaN = not tried
        alive = actions >= 0
        halvings = np.ceil(np.log2(np.maximum(2, alive.sum(axis=1)))).astype(np.int64)
        rounds = np.ones_like(halvings) if budget.eta else halvings  # of each table
        for left in range(int(rounds.max()) - 1, -1, -1):
            begun = rounds > left  # tables with few candidates begin later
            tried = values[:, :, : max(1, budget.samples >> left)]
            self._try(sampled, actions, np.isnan(tried) & (alive & begun[:, None])[:, :, None], obs.seat[rows], tried)
            if left:
                alive[begun] = _better_half(tried[begun].mean(axis=2), alive[begun])
        if self._opinions is not None:
            for row, table, tries in zip(rows.tolist(), actions, values, strict=True):
                self._opinions[row] = self._opinion(table, tries)
        if budget.eta:
            ratings = np.take_along_axis(self._ratings(obs.known[rows], obs.action_mask[rows]), actions, axis=1)
            logits = np.where(alive, ratings + budget.eta * values.mean(axis=2), -np.inf)
            return np.asarray(actions[np.arange(len(rows)), networks.sampled_at(obs, rows, logits, rng)])
        return _surely_best(actions, values - values[:, :1], alive, budget.margin)

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

    def candidates(self, known: States, masks: Any, scripted: Actions, most: int) -> Actions:
        """Return the actions to compare, (k, candidates), the scripted agent's first; -1 where there are fewer."""
        every = np.arange(len(known))
        ratings = self._ratings(known, masks)
        ratings[every, scripted] = np.inf
        most = min(most, int(masks.sum(axis=1).max()))
        best = np.argsort(-ratings, axis=1, kind="stable")[:, :most]
        return np.where(masks[every[:, None], best] == 1, best, -1)

    def _ratings(self, known: States, masks: Any) -> Floats:
        """Return the ratings of all actions by the agent of the playouts; those of a network are logits."""
        with self._lock:
            return rated(self._game, known, masks, self._work)

    def _try(self, sampled: States, actions: Actions, tries: Any, seats: Actions, values: Floats) -> None:
        """Play candidates in samples (k, n) where `tries` (k, c, w <= n) is true, and fill in their values there."""
        tables, candidates, samples = np.nonzero(tries)
        states = sampled.take(tables * sampled.shape[1] + samples)  # copies whole records, faster than an index
        plies, horizon = self.budget.plies or FOREVER, self.budget.horizon or FOREVER
        scores = self._playouts.scores(states, actions[tables, candidates], plies, horizon)
        values[tables, candidates, samples] = scores[np.arange(len(states)), self._teams[seats[tables]]]
        self.simulations += len(states)


def _better_half(means: Floats, alive: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Keep half of each table's candidates: the first one, and those with the best means. Earlier ones win ties."""
    keep = np.maximum(2, -(-alive.sum(axis=1) // 2))
    means = np.where(alive, means, -np.inf)
    means[:, 0] = np.inf
    best = np.argsort(-means, axis=1, kind="stable")
    remaining = np.zeros_like(alive)
    np.put_along_axis(remaining, best, np.arange(alive.shape[1]) < keep[:, None], axis=1)
    return remaining & alive


def _surely_best(actions: Actions, gains: Floats, alive: npt.NDArray[np.bool_], margin: float) -> Actions:
    """Return the candidate with the largest mean gain over the first one, or the first if the gain is not clear."""
    means = np.where(alive, gains.mean(axis=2), -np.inf)
    best, every = means.argmax(axis=1), np.arange(len(actions))
    errors = gains[every, best].std(axis=1) / np.sqrt(max(1, gains.shape[2] - 1))
    best[means[every, best] <= margin * np.maximum(errors, MIN_ERROR)] = 0
    return np.asarray(actions[every, best])


def _refusal(game: Game, word: str) -> str:
    return f"{game.name}: search:{word} is not allowed; allowed: a number of samples, or {REFUSED}"
