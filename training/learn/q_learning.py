"""Q-learning: learn the values of actions from whole games that the learner plays, without playouts.

A small network rates every legal action by its features, and the learner plays the best action. The target is the next
reward of its seat. In games of several rounds this is the reward of the round. An iteration has three steps:

- tables.py: play at all tables; the learner takes all seats, or one team against other agents.
- returns.py: compute the lambda-return of every decision, a mixture of rewards and of later ratings.
- this file: fit the network to these returns.

This is Q(lambda) of Peng and Williams without a target network, on many tables (PQN: Gallici et al., arXiv 2407.04811).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from agents import load_all
from agents.networks import TorchAgent, build_actor, filled, tensors_of
from tantra_envs import cli, workers
from tantra_envs.core.game import Game
from tantra_envs.opponents.model_files import Tensors

from ..optimizer import Optimizer
from ..progress import asked_to_stop, progress_bar
from .algorithm import Algorithm
from .options import Args, in_iteration
from .returns import Floats, Ints
from .tables import Play, Tables


class QLearning(Algorithm):
    """A learner by Q-learning."""

    def __init__(self, args: Args, game: Game, save: Callable[[], None]) -> None:
        super().__init__(args, game, save)
        torch.manual_seed(args.seed)
        self.actor = build_actor(args.spec, game)
        if start := args.start(game):
            filled(self.actor, start)
        self.average = copy.deepcopy(self.actor)  # moving average of the weights, which is the result
        self.network: Any = self.actor[1]
        self.optimizer = Optimizer(self.actor.parameters(), args.learning_rate)
        games = [cli.game(args.game, seats) for seats in args.seats or (args.players,)]
        counts = [len(part) for part in np.array_split(np.arange(args.tables), len(games))]
        self.tables = [
            Tables(game, load_all(args.opponents, game), count, args.self_play, args.seed, group)
            for group, (game, count) in enumerate(zip(games, counts, strict=True))
        ]

    @property
    def trained_for(self) -> dict[str, Any]:
        """The numbers of seats at its tables, for the model card."""
        return {"seats": sorted(set(self.args.seats))} if self.args.seats else {}

    def advance(self, target: int, run: workers.Run) -> bool:
        """Run iterations until `target` of them are finished. Return False after Ctrl-C."""
        with asked_to_stop() as stop, progress_bar("iterations", self.args.iterations, self.iteration) as advance:
            while self.iteration < target:
                error = self.iterate()
                advance(self.iteration, f"{self.decisions:,} decisions, error {error:.4f}")
                if stop():
                    return False
        return True

    def iterate(self) -> float:
        """Play at all tables and fit the network to the returns. Return the mean squared error before the fit.

        The error is NaN if no decision had a return. Then the weights stay as they are.
        """
        args, rng = self.args, np.random.default_rng((self.args.seed, self.iteration))
        how = Play(in_iteration(args.epsilon, self.iteration + 1), args.squash, args.patience, args.cost)
        inputs, returns = [], []
        for tables in self.tables:
            decisions = tables.play(self.rate, args.steps, how, rng)
            if len(decisions):
                part, targets = decisions.returns(args.trace)
                inputs.append(part)
                returns.append(targets)
        learned = sum(map(len, returns))
        error = self._fit(np.concatenate(inputs), np.concatenate(returns), rng) if learned else math.nan
        self._update_average()
        self.iteration += 1
        return error

    def _update_average(self) -> None:
        """Move the average of the weights towards the current ones."""
        keeps = self.args.average
        with torch.no_grad():
            for average, current in zip(self.average.parameters(), self.actor.parameters(), strict=True):
                average.mul_(keeps).add_(current, alpha=1 - keeps)

    def rate(self, features: Floats, table: Floats, which: Ints) -> Floats:
        """Return the ratings (k,) of actions with these features, at the tables `which` (k,).

        The output of the first layer for a table is computed once for all its actions.
        """
        first, rest, width = self.network.score[0], self.network.score[1:], features.shape[1]
        with torch.inference_mode():
            of_tables = torch.from_numpy(table) @ first.weight[:, width:].T + first.bias
            hidden = torch.from_numpy(features) @ first.weight[:, :width].T + of_tables[torch.from_numpy(which)]
            ratings: Floats = rest(hidden)[:, 0].numpy()
        return ratings

    def _fit(self, inputs: Floats, returns: Floats, rng: np.random.Generator) -> float:
        """Fit the network in `epochs` passes over the decisions. Return the mean squared error of the first pass."""
        args = self.args
        parts = -(-len(returns) // args.batch_size)
        errors = [
            self._step(inputs[rows], returns[rows])
            for _ in range(args.epochs)
            for rows in np.array_split(rng.permutation(len(returns)), parts)
        ]
        self.decisions += len(returns)
        return float(np.mean(errors[:parts]))

    def _step(self, inputs: Floats, returns: Floats) -> float:
        """Do one step of the optimiser. Return the error before it."""
        ratings = self.network.score(torch.from_numpy(inputs))[:, 0]
        loss: Any = (ratings - torch.from_numpy(returns)).square().mean()
        self.optimizer.step(loss, self.iteration / self.args.iterations)
        return float(loss.detach())

    # State

    def agent(self) -> TorchAgent:
        """Return the agent that plays the best action of the averaged network."""
        return TorchAgent("learner", self.average, self.args.spec)

    def facts(self, deals: int) -> dict[str, Any]:
        """Return no facts besides those of every run."""
        return {}

    def tensors(self) -> Tensors:
        """Return the averaged weights of the network."""
        return tensors_of(self.average)

    def state(self) -> dict[str, Any]:
        """Return the state from which `restore` continues."""
        return {
            "iteration": self.iteration,
            "actor": self.actor.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state(),
            "tables": [tables.state() for tables in self.tables],
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""
        self.iteration = state["iteration"]
        self.actor.load_state_dict(state["actor"])
        self.average.load_state_dict(state["average"])
        self.optimizer.restore(state["optimizer"])
        for tables, saved in zip(self.tables, state["tables"], strict=True):
            tables.restore(saved)
