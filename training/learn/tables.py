"""Tables whose games continue from iteration to iteration, with the learner in some of the seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agents import Agent
from tantra_envs.core.asking import ask
from tantra_envs.core.features import describe
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.matches.seeds import deal_seeds

from .games import MOST_DEALS
from .returns import Decisions, Floats, Ints

# Features of k actions and of tables, and which of these tables each action is for, (k,), to ratings (k,).
Rate = Callable[[Floats, Floats, Ints], Floats]
PART = 1 << 24  # deals for one group of tables


@dataclass(frozen=True)
class Play:
    """How a learner plays: the share of random actions, and what it is paid."""

    epsilon: float
    squash: float  # rewards are tanh(reward / squash)
    patience: int  # actions at a table since the last reward, after which a decision costs something
    cost: float


class Tables:
    """Games that continue across calls of `play`. A finished game is replaced by a new deal."""

    def __init__(
        self, game: Game, opponents: Sequence[Agent], count: int, self_play: float, seed: int, group: int = 0
    ) -> None:
        """Prepare `count` tables. Groups with different numbers deal different games from one seed."""
        self.game, self.opponents, self.self_play = game, opponents, self_play
        self.seed, self._first = seed, MOST_DEALS + PART * group
        self.states = game.blanks(count)
        self.learner = np.zeros((count, game.players), bool)  # seats that the learner plays
        self.opponent = np.zeros(count, np.int64)  # number of the agent in the other seats
        self.waited = np.zeros(count, np.int64)  # actions since the last reward
        self.deals = 0  # number of deals so far
        self._all = np.arange(count)

    def play(self, rate: Rate, steps: int, how: Play, rng: np.random.Generator) -> Decisions:
        """Play `steps` actions at every table, and return the learner's decisions."""
        decisions = Decisions(len(self.states), self.game.players)
        if not self.deals:
            self._deal(self._all, rng)
        for _ in range(steps):
            actions = self._choose(rate, how, decisions, rng)
            self.game.drivers.apply_rows(self.states, self._all, actions)
            self._pay(how.squash, decisions)
            over = np.flatnonzero(self.states["over"])
            if len(over):
                self._deal(over, rng)
        return decisions

    def state(self) -> dict[str, Any]:
        """Return the state from which `restore` continues."""
        seating = {"learner": self.learner.astype(np.int8), "opponent": self.opponent}
        return {"states": self.states, **seating, "waited": self.waited, "deals": self.deals}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.states[:] = state["states"].view(self.states.dtype).reshape(self.states.shape)
        self.learner[:], self.opponent[:] = state["learner"] == 1, state["opponent"]
        self.waited[:], self.deals = state["waited"], state["deals"]

    def _deal(self, rows: Ints, rng: np.random.Generator) -> None:
        """Deal new games. Draw the seats of the learner: all seats, or one team against an agent."""
        game = self.game
        seeds = deal_seeds(self.seed, self._first + self.deals, len(rows))
        self.deals += len(rows)
        self.states[rows] = game.blanks(len(rows))
        game.drivers.deal_rows(self.states, rows, seeds)
        teams = rng.integers(len(game.teams), size=len(rows))
        alone = rng.random(len(rows)) < self.self_play
        self.learner[rows] = alone[:, None] | (np.array(game.team_numbers) == teams[:, None])
        self.opponent[rows] = rng.integers(max(1, len(self.opponents)), size=len(rows))

    def _choose(self, rate: Rate, how: Play, decisions: Decisions, rng: np.random.Generator) -> Ints:
        """Return the actions of all tables and add the learner's decisions."""
        actions = np.empty(len(self.states), np.int64)
        learner = self.learner[self._all, self.states["seat"]]
        for i, opponent in enumerate(self.opponents):
            rows = np.flatnonzero(~learner & (self.opponent == i))
            if len(rows):
                actions[rows] = ask(opponent, Observation(self.game, self.states, rows), rng)
        rows = np.flatnonzero(learner)
        if len(rows):
            actions[rows] = self._decide(rows, rate, how, decisions, rng)
        return actions

    def _decide(self, rows: Ints, rate: Rate, how: Play, decisions: Decisions, rng: np.random.Generator) -> Ints:
        """Return the learner's actions at some tables, and record those with a choice as decisions."""
        obs = Observation(self.game, self.states, rows)
        masks = obs.action_mask
        chosen: Ints = masks.argmax(axis=1)
        open_to_choice = np.flatnonzero(masks.sum(axis=1) > 1)
        if not len(open_to_choice):
            return chosen
        which, actions, features, table = describe(self.game, obs.known[open_to_choice])
        legal = np.flatnonzero(masks[open_to_choice][which, actions])
        which, actions, features = which[legal], actions[legal], features[legal]
        ratings = rate(features, table, which)
        explores = rng.random(len(open_to_choice)) < how.epsilon
        best = _first_of_highest(which, np.where(explores[which], rng.random(len(which), np.float32), ratings))
        chosen[open_to_choice] = actions[best]
        rows, seats = rows[open_to_choice], obs.seat[open_to_choice]
        costs = np.where(self.waited[rows] > how.patience, how.cost, 0).astype(np.float32)
        decisions.add(rows, seats, np.concatenate([features[best], table], axis=1), ratings[best], costs)
        return chosen

    def _pay(self, squash: float, decisions: Decisions) -> None:
        """Give rewards to the decisions at tables with a reward, or whose game is over."""
        rewards = self.states["rewards"][:, : self.game.players]
        rewarded = np.flatnonzero(rewards.any(axis=1) | (self.states["over"] == 1))
        self.waited += 1
        if len(rewarded):
            self.waited[rewarded] = 0
            decisions.pay(rewarded, np.tanh(rewards[rewarded] / squash).astype(np.float32))


def _first_of_highest(groups: Ints, values: npt.NDArray[Any]) -> Ints:
    """Return the index of the highest value of each group; groups are ascending and numbered without gaps."""
    order = np.lexsort((-values, groups))
    return order[np.searchsorted(groups[order], np.arange(groups[-1] + 1))]
