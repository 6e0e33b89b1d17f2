"""The run: play, fit, measure from time to time, and stop and continue at any iteration."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import torch

from agents import load_all
from agents.networks import TorchAgent, build_actor, tensors_of
from tantra_envs import cli
from tantra_envs.opponents.model_files import Tensors
from tantra_envs.opponents.network_spec import NetworkSpec

from ..options import RunOptions
from ..progress import asked_to_stop, progress_bar
from ..run import Run
from ..schedules import due, linear_schedule
from .options import Args, check
from .returns import Floats, Ints
from .tables import Play, Tables


class QLearning(Run[Args]):
    """A run of Q-learning."""

    PROGRAM = "training qlearn"
    OPTIONS: ClassVar[type[RunOptions]] = Args

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        torch.manual_seed(args.seed)
        self.actor = build_actor(args.spec, self.game)
        self.network: Any = self.actor[1]
        self.optimizer = torch.optim.Adam(self.actor.parameters())
        self.iteration = 0
        games = [cli.game(args.game, seats) for seats in args.seats or (args.players,)]
        counts = [len(part) for part in np.array_split(np.arange(args.tables), len(games))]
        self.tables = [
            Tables(game, load_all(args.opponents, game), count, args.self_play, args.seed, group)
            for group, (game, count) in enumerate(zip(games, counts, strict=True))
        ]

    @staticmethod
    def check(args: Args) -> None:
        """Raise ValueError for options that are not allowed."""
        check(args)

    def train(self) -> bool:
        """Run the remaining iterations. Return False after Ctrl-C."""
        args = self.args
        with asked_to_stop() as stop, progress_bar("iterations", args.iterations, self.iteration) as advance:
            while self.iteration < args.iterations:
                error = self.iterate()
                advance(self.iteration, f"{self.decisions:,} decisions, error {error:.4f}")
                if due(args.eval_every, self.iteration - 1, self.iteration):
                    self.record(self.measure(self.learner, args.eval_deals, args.seed))
                    self.save()
                if stop():
                    return False
        return True

    def iterate(self) -> float:
        """Play at all tables and fit the network to the returns. Return the mean squared error before the fit."""
        args, rng = self.args, np.random.default_rng((self.args.seed, self.iteration))
        how = Play(args.epsilon, args.squash, args.patience, args.cost)
        inputs, returns = [], []
        for tables in self.tables:
            decisions = tables.play(self.rate, args.steps, how, rng)
            if len(decisions):
                part, targets = decisions.returns(args.trace)
                inputs.append(part)
                returns.append(targets)
        error = self._fit(np.concatenate(inputs), np.concatenate(returns), rng)
        self.iteration += 1
        return error

    def rate(self, features: Floats, table: Floats, which: Ints) -> Floats:
        """Return the ratings (k,) of actions with these features, at the tables `which` (k,).

        What the first layer makes of a table is worked out once for all its actions.
        """
        first, rest, width = self.network.score[0], self.network.score[1:], features.shape[1]
        with torch.inference_mode():
            of_tables = torch.from_numpy(table) @ first.weight[:, width:].T + first.bias
            hidden = torch.from_numpy(features) @ first.weight[:, :width].T + of_tables[torch.from_numpy(which)]
            ratings: Floats = rest(hidden)[:, 0].numpy()
        return ratings

    def finish(self) -> None:
        """Measure the policy on new deals, and report the results."""
        results = self.measure(self.learner, self.args.final_deals, self.args.seed + 1)
        self.record(results)
        self.report(f"{self.args.folder.name} after {self.decisions:,} decisions", results, minutes=self.minutes)
        print(f"{self.minutes:.1f} CPU minutes; all files are in {self.args.folder}")

    def _fit(self, inputs: Floats, returns: Floats, rng: np.random.Generator) -> float:
        """Fit the network in `epochs` passes over the decisions. Return the mean squared error of the first pass."""
        args = self.args
        for group in self.optimizer.param_groups:
            group["lr"] = linear_schedule(args.learning_rate, self.iteration / args.iterations)
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
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return float(loss.detach())

    # State

    @property
    def learner(self) -> TorchAgent:
        """The agent that plays the best action of the current network."""
        return TorchAgent("learner", self.actor, self.spec)

    @property
    def spec(self) -> NetworkSpec:
        """The network that the options select."""
        return self.args.spec

    @property
    def trained_for(self) -> dict[str, Any]:
        """The numbers of seats at its tables, for the model card."""
        return {"seats": sorted(set(self.args.seats))} if self.args.seats else {}

    def tensors(self) -> Tensors:
        """Return the current weights of the network."""
        return tensors_of(self.actor)

    def start(self, checkpoint: dict[str, Any] | None) -> None:
        """Continue from a checkpoint, if there is one."""
        if checkpoint is None:
            return
        self.iteration = checkpoint["iteration"]
        self.actor.load_state_dict(checkpoint["actor"])
        groups, numbers, moments = checkpoint["optimizer"]
        self.optimizer.load_state_dict({"param_groups": groups, "state": dict(zip(numbers, moments, strict=True))})
        for tables, state in zip(self.tables, checkpoint["tables"], strict=True):
            tables.restore(state)

    def state(self) -> dict[str, Any]:
        """Return the state from which `start` continues."""
        optimizer = self.optimizer.state_dict()
        return {
            "iteration": self.iteration,
            "actor": self.actor.state_dict(),
            "optimizer": [optimizer["param_groups"], list(optimizer["state"]), list(optimizer["state"].values())],
            "tables": [tables.state() for tables in self.tables],
        }
