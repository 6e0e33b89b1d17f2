"""Search: try the best actions of the scripted agent in sampled deals, and play the one with the best mean result.

At every decision the best few actions of the scripted agent are candidates. The cards that the seat cannot know are
sampled a number of times. In each sampled deal every candidate is played, and then the scripted agent plays for every
seat, from what that seat sees. Each round drops half of the candidates and doubles the samples (sequential halving:
Karnin, Koren and Somekh, ICML 2013). An action replaces the choice of the scripted agent only if it is better by more
than `margin` standard errors of the difference, because the best of many averages is often lucky.

An action after which the team has nothing more to decide, in every sample with the best result of any candidate, is
played whatever else promises: it ends the game, or only others play on. Of actions whose playouts all end with this
result, the one with the shorter way comes first.

With `eta` the agent of the playouts is a network, and search takes one step of mirror descent from its policy. It plays
a sample of p(action) x exp(eta x result), over the candidates. So a small gain changes the policy a little, and the
decision stays hard to predict. All candidates are then tried in all samples (update-equivalent search: Sokota et al.,
arXiv 2304.13138).

With `leaf=value` a playout stops after a few actions and reads a value network, which was fitted to games of the agent
that plays (`critics.py`).

A budget counts samples, not seconds, so that results are reproducible. `ms` is for games against people.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..core.game import Game
from ..core.locks import SharedLock
from ..core.observation import Actions, Observation
from ..core.opinions import Opinion
from ..core.playouts import FOREVER, Playouts, Policy
from ..core.state import States
from . import networks
from .belief import even_deals, likely_deals
from .choosing import Choice, Floats, Halving, MirrorStep, Tries, better_half, steps_to_best, untried
from .critics import Critic
from .specs import read_budget, unusual

ROOM = 1 << 26  # bytes of tables in playouts at a time
LEAF_PLIES = 8  # actions of each seat before a playout reads the value network, unless `plies` is given
FIRST_SAMPLES = 8  # of a search by time, which doubles them
NETWORKS = "base=learned or ppo:FILE"
MINIMA = {"samples": 1, "candidates": 1, "horizon": 0, "plies": 0, "margin": 0, "ms": 1, "eta": 0}
ALLOWED: dict[str, Any] = {name: (least, FOREVER) for name, least in MINIMA.items()} | {
    "belief": ("even", "moves"),
    "leaf": ("standing", "value"),
}
REFUSED = (
    "a number of samples, or samples=1.., candidates=1.., horizon=0.., plies=0.. (0 = to the end), margin=0.., "
    f"belief=even|moves, ms=1.., leaf=standing|value (with {NETWORKS}), eta=0.. (with {NETWORKS})"
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
    leaf: str = "standing"  # score where a playout stops before the end: by the standing, or by a value network
    eta: float = 0.0  # weight of the results next to the log-probabilities of a network; 0 = play the best action


class Search:
    """An agent that searches over the game's scripted agent, or over another policy.

    Threads can share a search: it makes one decision after another. For speed give each thread its own search.

    Args:
        game: The game.
        options: The number of samples, or for example `samples=64,candidates=8,horizon=1,margin=2`. The game sets the
            defaults.
        policy: The agent that proposes the candidates and plays the playouts; None = the scripted agent.
        critic: The value network that `leaf=value` reads.

    Attributes:
        simulations: Playouts so far.
        decisions: Decisions so far. A decision has two or more legal actions.
        deviations: Decisions against the scripted agent's choice so far.
        milliseconds: Time of all calls so far.
        by_network: Whether a network plays the playouts, and not the scripted agent.
    """

    def __init__(
        self, game: Game, options: str = "", policy: Policy | None = None, critic: Critic | None = None
    ) -> None:
        self.name = f"search:{options}" if options else "search"
        usual = Budget(**game.scripted.SEARCH)
        self.budget = read_budget(usual, options, ALLOWED, f"{game.name}: search", REFUSED)
        self.origin = unusual(self.budget)
        self.remembers = self.budget.belief == "moves"  # environments then record past actions for it
        if self.remembers and game.drivers.log_likelihoods is None:
            why = "it cannot rewind its tables to past decisions, as Tarot can"
            raise ValueError(f"{game.name}: search:belief=moves is not allowed: {why}")
        self.simulations = self.decisions = self.deviations = 0
        self.milliseconds, self.by_network = 0.0, policy is not None
        if self.budget.eta and policy is None:
            raise ValueError(f"{self.name} has no probabilities to begin from; allowed: eta with {NETWORKS}")
        by_value = self.budget.leaf == "value"
        if by_value and critic is None:
            raise ValueError(f"{self.name} has no value network to read; allowed: leaf=value with {NETWORKS}")
        self._plies = self.budget.plies or (LEAF_PLIES * game.players if by_value else FOREVER)
        self._game, self._playouts = game, Playouts(game, policy, critic.scores if critic and by_value else None)
        self._deals = likely_deals if self.remembers else even_deals
        teams, eta = len(game.teams), self.budget.eta
        self._choice: Choice = MirrorStep(teams, eta, self._logits) if eta else Halving(teams, self.budget.margin)
        self._teams = np.array(game.team_numbers)
        self._opinions: list[Opinion | None] | None = None  # of all tables, during `weigh`
        self._lock = SharedLock()  # the scratch arrays serve one decision at a time

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the action with the best result at every table, shape (k,)."""
        with self._lock:
            return self._act(obs, rng)

    def _act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        began = time.perf_counter()
        scripted = self._playouts.choose(obs.known, obs.action_mask)
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

    def proposals(self, obs: Observation) -> Actions:
        """Return the actions of the agent that plays the playouts, shape (k,)."""
        with self._lock:
            return self._playouts.choose(obs.known, obs.action_mask)

    def compare(
        self, obs: Observation, rows: Actions, actions: Actions, samples: int, rng: np.random.Generator
    ) -> Tries:
        """Return the playouts of actions (k, c), -1 = none, at the tables `rows` in equal samples."""
        tries = untried(actions, samples)
        sampled = self._deals(obs, rows, samples, rng).reshape(len(rows), samples)
        with self._lock:
            wanted = np.broadcast_to(actions[:, :, None] >= 0, tries.values.shape)
            self._try(sampled, actions, wanted, obs.seat[rows], tries)
        return tries

    def best(self, obs: Observation, rows: Actions, actions: Actions, tries: Tries) -> Actions:
        """Return the place of the best of some compared actions (k, c) at the tables `rows`, shape (k,)."""
        return self._choice.best(obs, rows, actions, tries, actions >= 0)

    def priors(self, obs: Observation) -> Floats:
        """Return the probabilities of all actions by the network of the playouts, shape (k, actions.size)."""
        return networks.softmax(self._ratings(obs.known, obs.action_mask))

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
        sampled = self._deals(obs, rows, budget.samples, rng).reshape(len(rows), budget.samples)
        actions = self.candidates(obs, rows, scripted, budget.candidates, np.ascontiguousarray(sampled[:, 0]))
        tries = untried(actions, budget.samples)
        alive, teams = actions >= 0, len(self._game.teams)
        rounds = self._choice.rounds(alive.sum(axis=1))
        for left in range(int(rounds.max()) - 1, -1, -1):
            begun = rounds > left  # tables with few candidates begin later
            part = tries.part(max(1, budget.samples >> left))
            wanted = np.isnan(part.values) & (alive & begun[:, None])[:, :, None]
            self._try(sampled, actions, wanted, obs.seat[rows], part)
            if left:
                means = np.where(alive, part.values.mean(axis=2), -np.inf)
                alive[begun] = better_half(means[begun], steps_to_best(part, teams)[begun], alive[begun])
        if self._opinions is not None:
            best = self._choice.best(obs, rows, actions, tries, alive).tolist()
            for row, table, values, place in zip(rows.tolist(), actions, tries.values, best, strict=True):
                self._opinions[row] = self.opinion(table, values, int(table[place]))
        places = self._choice.places(obs, rows, actions, tries, alive, rng)
        return np.asarray(actions[np.arange(len(rows)), places])

    def opinion(self, actions: Actions, values: Floats, best: int) -> Opinion:
        """Return the opinion with the values of a table's candidates (c,) in the samples (c, samples)."""
        tried = np.isfinite(values).sum(axis=1)
        rows = np.flatnonzero(tried)
        means, errors = (how(values[rows], axis=1) for how in (np.nanmean, np.nanstd))
        errors /= np.sqrt(np.maximum(1, tried[rows] - 1))
        unit = {1: "reward", 2: "win probability"}.get(len(self._game.teams), "share of the others beaten")
        names = actions[rows].tolist()
        by_action, spread = (dict(zip(names, numbers.tolist(), strict=True)) for numbers in (means, errors))
        return Opinion(f"{unit}, in {values.shape[1]} sampled deals", by_action, spread, best)

    def candidates(self, obs: Observation, rows: Actions, scripted: Actions, most: int, sampled: States) -> Actions:
        """Return the actions to compare, (k, candidates), the scripted agent's first; -1 where there are fewer.

        A last action of the team with a good score is always among them, also beyond the number of candidates.

        Args:
            obs: The tables.
            rows: The tables to look at, shape (k,).
            scripted: The scripted agent's actions there, shape (k,).
            most: The number of candidates.
            sampled: A sample of each of these tables, shape (k,).
        """
        masks, every = obs.action_mask[rows], np.arange(len(rows))
        ratings = self._ratings(obs.known[rows], masks)
        with self._lock:
            last = self._playouts.last_actions(sampled, masks, obs.seat[rows])
        ends = last >= 0
        ratings[every[ends], last[ends]] = np.finfo(np.float64).max
        ratings[every, scripted] = np.inf
        columns = min(max(most, 1 + int(ends.any())), int(masks.sum(axis=1).max()))
        best = np.argsort(-ratings, axis=1, kind="stable")[:, :columns]
        wanted = np.arange(columns) < np.maximum(most, 1 + ends)[:, None]
        return np.where(wanted & (masks[every[:, None], best] == 1), best, -1)

    def _logits(self, obs: Observation, rows: Actions) -> Floats:
        return self._ratings(obs.known[rows], obs.action_mask[rows])

    def _ratings(self, known: States, masks: Any) -> Floats:
        """Return the ratings of all actions by the agent of the playouts; those of a network are logits."""
        with self._lock:
            return self._playouts.rate(known, masks)

    def _try(self, sampled: States, actions: Actions, wanted: Any, seats: Actions, tries: Tries) -> None:
        """Play candidates in samples (k, n) where `wanted` (k, c, w <= n) is true, and fill in `tries` there."""
        tables, candidates, samples = np.nonzero(wanted)
        states = sampled.take(tables * sampled.shape[1] + samples)  # copies whole records, faster than an index
        horizon = self.budget.horizon or FOREVER
        scores, lengths = self._playouts.scores_and_lengths(states, actions[tables, candidates], self._plies, horizon)
        tries.values[tables, candidates, samples] = scores[np.arange(len(states)), self._teams[seats[tables]]]
        tries.lengths[tables, candidates, samples] = lengths
        self.simulations += len(states)
