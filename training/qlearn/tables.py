"""Tables whose games continue from iteration to iteration, with the learner in some of the seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from agents import Agent
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.matches.playing import ask
from tantra_envs.matches.seeds import DEALS, deal_seeds
from tantra_envs.opponents.network_spec import NetworkSpec, policy_inputs
from tantra_envs.opponents.networks import feature_inputs

from .returns import Decisions, Floats, Ints

FEATURES = NetworkSpec("features")
Rate = Callable[[Floats], Floats]  # network inputs of k actions (k, width) to their ratings (k,)
MOST_DEALS = DEALS // 2  # deals from this number are for training, deals before it for studies
PART = 1 << 24  # deals for one group of tables


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
        self.deals = 0  # number of deals so far
        self._all = np.arange(count)

    def play(self, rate: Rate, steps: int, epsilon: float, squash: float, rng: np.random.Generator) -> Decisions:
        """Play `steps` actions at every table, and return the learner's decisions."""
        decisions = Decisions(len(self.states), self.game.players)
        if not self.deals:
            self._deal(self._all, rng)
        for _ in range(steps):
            actions = self._choose(rate, epsilon, decisions, rng)
            self.game.drivers.apply_rows(self.states, self._all, actions)
            self._pay(squash, decisions)
            over = np.flatnonzero(self.states["over"])
            if len(over):
                self._deal(over, rng)
        return decisions

    def state(self) -> dict[str, Any]:
        """Return the state from which `restore` continues."""
        seating = {"learner": self.learner.astype(np.int8), "opponent": self.opponent, "deals": self.deals}
        return {"states": self.states, **seating}

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.states[:] = state["states"].view(self.states.dtype).reshape(self.states.shape)
        self.learner[:], self.opponent[:] = state["learner"] == 1, state["opponent"]
        self.deals = state["deals"]

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

    def _choose(self, rate: Rate, epsilon: float, decisions: Decisions, rng: np.random.Generator) -> Ints:
        """Return the actions of all tables and add the learner's decisions."""
        actions = np.empty(len(self.states), np.int64)
        learner = self.learner[self._all, self.states["seat"]]
        for i, opponent in enumerate(self.opponents):
            rows = np.flatnonzero(~learner & (self.opponent == i))
            if len(rows):
                actions[rows] = ask(opponent, Observation(self.game, self.states, rows), rng)
        rows = np.flatnonzero(learner)
        if len(rows):
            actions[rows] = self._decide(rows, rate, epsilon, decisions, rng)
        return actions

    def _decide(self, rows: Ints, rate: Rate, epsilon: float, decisions: Decisions, rng: np.random.Generator) -> Ints:
        """Return the learner's actions at some tables, and record those with a choice as decisions."""
        obs = Observation(self.game, self.states, rows)
        masks = obs.action_mask
        chosen: Ints = masks.argmax(axis=1)
        open_to_choice = np.flatnonzero(masks.sum(axis=1) > 1)
        if not len(open_to_choice):
            return chosen
        which, actions, inputs, _ = feature_inputs(self.game, policy_inputs(FEATURES, obs)[open_to_choice])
        legal = np.flatnonzero(masks[open_to_choice][which, actions])
        which, actions, inputs = which[legal], actions[legal], inputs[legal]
        ratings = rate(inputs)
        explores = rng.random(len(open_to_choice)) < epsilon
        best = _first_of_highest(which, np.where(explores[which], rng.random(len(which), np.float32), ratings))
        chosen[open_to_choice] = actions[best]
        decisions.add(rows[open_to_choice], obs.seat[open_to_choice], inputs[best], ratings[best])
        return chosen

    def _pay(self, squash: float, decisions: Decisions) -> None:
        """Give rewards to the decisions at tables with a reward, or whose game is over."""
        rewards = self.states["rewards"][:, : self.game.players]
        rewarded = np.flatnonzero(rewards.any(axis=1) | (self.states["over"] == 1))
        if len(rewarded):
            decisions.pay(rewarded, np.tanh(rewards[rewarded] / squash).astype(np.float32))


def _first_of_highest(groups: Ints, values: npt.NDArray[Any]) -> Ints:
    """Return the index of the highest value of each group; groups are ascending and numbered without gaps."""
    order = np.lexsort((-values, groups))
    return order[np.searchsorted(groups[order], np.arange(groups[-1] + 1))]
