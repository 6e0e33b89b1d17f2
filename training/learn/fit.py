"""Fit a policy to labels, epoch by epoch.

With the objective `advantage` the policy begins as a clone of the base policy, or as the policy of the iteration
before. It maximises

    sum over actions of  p(action) (Q(action) - Q(base policy's action)) / temperature  -  KL(p, policy before)

whose optimum is the policy before, times exp(advantage / temperature). The objective sums values and never compares
them, so the noise of a few determinizations averages out over positions.

With the objective `values` the policy is fit to the differences between the values of actions, and plays the best
action. A second head always learns the values.
"""

from __future__ import annotations

import copy
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from agents import load
from agents.networks import build_actor, filled, tensors_of
from tantra_envs.core.game import Game
from tantra_envs.matches.match import SIDE_BY_SIDE
from tantra_envs.opponents.model_files import Tensors, read_card, read_tensors

from ..imitation import BehaviourCloning
from ..optimizer import Optimizer
from ..progress import asked_to_stop, progress_bar
from .label_files import Labels, decode
from .options import Args
from .policies import Batch, feature_table, network_inputs, with_value_head

CLONING_EPSILON = 0.1  # share of random actions in the games that are cloned
VALUE_WEIGHT = 0.5  # weight of the second head's loss


class Fit:
    """A policy while it is fit to labels."""

    def __init__(self, args: Args, game: Game, labels: Labels, seed: int, start: Path | None) -> None:
        """Build the networks. `start` is the model file to begin from."""
        torch.manual_seed(seed)
        self.args, self.game, self.labels, self.seed = args, game, labels, seed
        self.clones = args.objective == "advantage" and not start
        actor = build_actor(args.spec, game)
        if start:
            filled(actor, read_tensors(start, read_card(start), game))
        self.policy = with_value_head(args.spec, game, actor)
        self.before = copy.deepcopy(self.policy)  # the policy before it learns from labels
        order, held_out = np.random.default_rng(seed).permutation(len(labels)), math.ceil(args.held_out * len(labels))
        self.rows, self.held_out = order[held_out:], order[:held_out]
        self.features = None if args.policy == "mlp" else feature_table(args.spec, game, labels)
        self.optimizer = Optimizer(self.policy.parameters(), args.learning_rate)
        self.epochs: list[dict[str, float]] = []

    def tensors(self) -> Tensors:
        """Return the current weights of the policy."""
        return tensors_of(self.policy.actor)

    def state(self) -> dict[str, Any]:
        """Return the state of the fit, from which `restore` continues."""
        return {
            "labels": len(self.labels),
            "epochs": self.epochs,
            "policy": self.policy.state_dict(),
            "before": self.before.state_dict(),
            "optimizer": self.optimizer.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned. Raise ValueError if the labels have changed since."""
        if state["labels"] != len(self.labels):
            raise ValueError(f"the run had {state['labels']:,} labels, but its folder has {len(self.labels):,} now")
        self.policy.load_state_dict(state["policy"])
        self.before.load_state_dict(state["before"])
        self.optimizer.restore(state["optimizer"])
        self.epochs = state["epochs"]

    def run(self, save: Any) -> bool:
        """Run the remaining epochs and call `save` after each. Return False after Ctrl-C."""
        if self.clones and not self.epochs:
            self.clone()
        with asked_to_stop() as stop, progress_bar("epochs", self.args.epochs, len(self.epochs)) as advance:
            while len(self.epochs) < self.args.epochs:
                self.epoch()
                save()
                advance(len(self.epochs), f"advantage {self.epochs[-1]['advantage']:+.4f}")
                if stop():
                    return False
        return True

    def clone(self) -> None:
        """Clone the base policy in one pass over the decisions of its games."""
        args, rng = self.args, np.random.default_rng((self.seed, 1))
        expert = load(args.base, self.game)
        cloning = BehaviourCloning(expert, args.bc_decisions, SIDE_BY_SIDE, CLONING_EPSILON, args.spec, self.seed)
        decisions, loss = 0, torch.zeros(())
        with progress_bar("cloning", args.bc_decisions, 0) as advance:
            while decisions < args.bc_decisions:
                games = cloning.demonstrate(self.game, rng)
                choices = rng.permutation(np.flatnonzero(games.masks.sum(axis=1) > 1))
                for rows in np.array_split(choices, -(-len(choices) // args.batch_size)):
                    logits = self.policy(network_inputs(args.spec, self.game, games.inputs[rows]))[0]
                    logits = logits.masked_fill(torch.from_numpy(games.masks[rows] == 0), -torch.inf)
                    loss = nn.functional.cross_entropy(logits, torch.from_numpy(games.actions[rows]))
                    self.optimizer.step(loss, decisions / args.bc_decisions)
                decisions += len(choices)
                advance(min(decisions, args.bc_decisions), f"loss {float(loss.detach()):.3f}")
        self.before.load_state_dict(self.policy.state_dict())

    def epoch(self) -> None:
        """Learn from all labels once, and evaluate on the held-out labels."""
        began, number = time.perf_counter(), len(self.epochs)
        rows = np.random.default_rng((self.seed, number)).permutation(self.rows)
        for part in np.array_split(rows, -(-len(rows) // self.args.batch_size)):
            self.optimizer.step(self.loss(self.batch(part)), number / self.args.epochs)
        self.epochs.append({**self.evaluate(), "seconds": round(time.perf_counter() - began, 1)})

    def loss(self, batch: Batch) -> torch.Tensor:
        """Return the loss of both heads."""
        logits, values = self.policy(batch.inputs)
        if self.args.objective == "values":
            loss = batch.difference_error(logits)
        else:
            with torch.no_grad():
                before = self.before(batch.inputs)[0]
            loss = batch.divergence(logits, before) - batch.expected_advantage(logits) / self.args.temperature
        return loss + VALUE_WEIGHT * batch.value_error(values)

    def evaluate(self) -> dict[str, float]:
        """Evaluate on the held-out positions.

        Returns:
            The loss; the mean advantage of the policy's choice over the base policy's and its standard error; the
            share of positions at which the two differ.
        """
        with torch.inference_mode():
            batch = self.batch(self.held_out)
            loss = float(self.loss(batch))
            advantages, chosen = batch.advantages(self.policy(batch.inputs)[0])
        error = float(advantages.std() / math.sqrt(len(advantages)))
        deviates = float((chosen > 0).float().mean())
        return {"loss": loss, "advantage": float(advantages.mean()), "error": error, "deviates": deviates}

    def batch(self, rows: np.ndarray) -> Batch:
        """Return some labels as tensors."""
        labels, spec = self.labels, self.args.spec
        if self.features:
            inputs: Any = self.features[rows]
        else:
            inputs = network_inputs(spec, self.game, decode(spec.policy, self.game, labels.inputs[rows]))
        actions = torch.from_numpy(labels.actions[rows].astype(np.int64))
        legal, values = torch.from_numpy(labels.masks[rows] == 1), torch.from_numpy(labels.values[rows])
        return Batch(inputs, legal, actions.clamp(min=0), values, actions >= 0)
