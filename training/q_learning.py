"""Learn the values of actions from whole games, by Q-learning over action features.

    python -m training q-learning karma --name karma-q --total-decisions 4_000_000
    python -m training q-learning --resume runs/karma-q

A small network rates every legal action by its features. The learner plays the best one, and a share of random actions.
An update plays at many tables (`trajectories.py`), then fits the network to the lambda-returns of these decisions: a
mixture of the rewards and of the ratings of the seat's later actions. The saved policy is a moving average of the
weights.

This is SARSA(lambda) with few random actions, on many tables and without a target network, as in PQN (Gallici et al.,
arXiv 2407.04811), which takes the rating of the best later action in place of the played one.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from tantra_envs.programs import cli

with cli.user_errors("train"):  # torch may be missing, and its import takes seconds
    import numpy as np
    import torch
    from torch import nn

    from agents.networks import build_actor
    from tantra_envs.core.game import Game
    from tantra_envs.opponents.network_spec import NetworkSpec

    from .optimizer import Optimizer, between
    from .options import ENDS, RunOptions, Share
    from .run import Run
    from .trajectories import Batch, Floats, Ints, Sample, joined, minibatches


@dataclass(frozen=True, kw_only=True)
class Args(RunOptions):
    """Learn the values of actions from whole games, by Q-learning over action features.

    Example: python -m training q-learning karma --total-decisions 4_000_000 --seed 3
    """

    epsilon: Annotated[tuple[Share, ...], ENDS] = (0.05,)
    """Share of random actions at the start and at the end of the run."""

    COMMON = (*RunOptions.COMMON, "epsilon", "gae_lambda", "reward", "episode")


class Network(nn.Module):
    """A policy, `actor`, that plays the action with the best rating. A share `epsilon` of its actions is random."""

    def __init__(self, spec: NetworkSpec, game: Game) -> None:
        super().__init__()
        self.actor, self.epsilon = build_actor(spec, game), 0.0

    def ratings(self, features: Floats, table: Floats, rows: Ints) -> torch.Tensor:
        """Return the ratings (n,) of actions with these features at the tables `rows` (n,)."""
        of_features: Any = self.actor[1]
        return of_features.rate(*map(torch.from_numpy, (features, table, rows)))  # type: ignore[no-any-return]

    def draw(self, batch: Batch, rng: np.random.Generator) -> Sample:
        """Choose an action for each decision. The values of the sample are the ratings of these actions."""
        rows = np.repeat(np.arange(len(batch.counts)), batch.counts)
        with torch.inference_mode():
            ratings = self.ratings(batch.features, batch.table, rows).numpy()
        explores = rng.random(len(batch.counts)) < self.epsilon
        keys = np.where(explores[rows], rng.random(len(rows), np.float32), ratings)
        best = np.lexsort((-keys, rows))[batch.starts]  # sorted by decision, the highest key first
        return Sample(best - batch.starts, np.zeros(len(best), np.float32), ratings[best])


class QLearning(Run[Args]):
    """A run of Q-learning."""

    PROGRAM = "training q-learning"
    OPTIONS: ClassVar[type[RunOptions]] = Args
    SHOWN = "error"

    def __init__(self, args: Args, decisions: int = 0) -> None:
        super().__init__(args, decisions)
        self.learner = Network(args.spec, args.games[0])
        self.average = copy.deepcopy(self.learner)
        self.optimizer = Optimizer(self.learner.parameters(), args.learning_rate)

    def update(self) -> None:
        """Play at all tables and learn from the decisions. Without decisions nothing changes."""
        progress = self.decisions / self.args.total_decisions
        self.learner.epsilon = between(self.args.epsilon, progress)
        played = self.play(self.learner.draw, self.named, np.array([*self.named[0]], np.int64), self.updates)
        batch, sample, advantages, complete = joined(played, self.args.gae_lambda)
        if len(complete):
            features, returns = batch.features[batch.starts + sample.places], advantages + sample.values
            self.fit(features[complete], batch.table[complete], returns[complete], progress)
        self.decisions += len(complete)
        self.updates += 1

    def fit(self, features: Floats, table: Floats, returns: Floats, progress: float) -> None:
        """Fit the ratings of k actions with these features to their returns, at this share of the run."""
        args, rng = self.args, np.random.default_rng((self.args.seed, self.updates, len(self.tables)))
        targets, errors = torch.from_numpy(returns), []
        for rows in minibatches(np.arange(len(returns)), args.batch_size, args.epochs, rng):
            ratings = self.learner.ratings(features[rows], table[rows], np.arange(len(rows)))
            error = (ratings - targets[rows]).square().mean()
            self.optimizer.step(error, progress)
            errors.append(float(error.detach()))
        self.metrics = {"error": float(np.mean(errors))}
        self.metrics["explained"] = 1 - self.metrics["error"] / float(returns.var() + 1e-8)
        self.update_average()


main = QLearning.main
