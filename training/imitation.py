"""Behaviour cloning: learn the actions of an expert from games that it plays against itself.

A share `epsilon` of the actions is random, so that the learner also sees positions after errors. The target at every
decision is the expert's action, even where a random action was played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

from tantra_envs.core.asking import answer_of
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Agent, Observation
from tantra_envs.matches.playing import play_tables
from tantra_envs.opponents.network_spec import Masks, NetworkSpec, policy_inputs

from .optimizer import Optimizer


@dataclass(frozen=True)
class Demonstrations:
    """The inputs, legal actions and choices of the expert at n decisions."""

    inputs: npt.NDArray[Any]  # (n, width), or concealed records (n,): see `policy_inputs`
    masks: Masks  # (n, actions.size)
    actions: Actions  # (n,)


@dataclass(frozen=True)
class BehaviourCloning:
    """The settings of behaviour cloning."""

    expert: Agent
    decisions: int
    num_envs: int  # games that are played at the same time between updates
    epsilon: float  # share of random actions in the expert's games
    spec: NetworkSpec  # network of the learner, which determines its inputs
    seed: int
    batch_size: int = 512
    learning_rate: float = 1e-3  # learning rate at the start

    def train(self, policy: MaskableActorCriticPolicy, game: Game) -> Iterator[tuple[int, float]]:
        """Raise the likelihood of the expert's actions. Yield the number of decisions so far and the accuracy.

        The accuracy is the share of the newest demonstrations that the policy chose before it learned from them.
        """
        rng = np.random.default_rng((self.seed, 1))
        optimizer = Optimizer(policy.parameters(), self.learning_rate)
        decisions = 0
        while decisions < self.decisions:
            demonstrations = self.demonstrate(game, rng)
            n, correct = len(demonstrations.actions), 0
            for rows in np.array_split(rng.permutation(n), -(-n // self.batch_size)):
                loss, right = _loss(policy, demonstrations, rows)
                optimizer.step(loss, decisions / self.decisions)
                correct += right
            decisions += n
            yield decisions, correct / n

    def demonstrate(self, game: Game, rng: np.random.Generator) -> Demonstrations:
        """Play games with the expert in all seats, and return its decisions."""
        demonstrator = _Demonstrator(self.expert, self.epsilon, self.spec)
        seating = np.zeros((self.num_envs, game.players), np.int64)
        deals = rng.integers(1 << 62, size=self.num_envs)
        play_tables(game, [demonstrator], seating, deals, int(rng.integers(1 << 31)))
        return Demonstrations(*(np.concatenate(column) for column in zip(*demonstrator.records, strict=True)))


def _loss(policy: MaskableActorCriticPolicy, demonstrations: Demonstrations, rows: Actions) -> tuple[Any, int]:
    """Return the loss, and how many of the expert's actions are the most likely ones."""
    actions = torch.from_numpy(demonstrations.actions[rows])
    inputs, masks = torch.from_numpy(demonstrations.inputs[rows]), demonstrations.masks[rows]
    distribution = policy.get_distribution(inputs, action_masks=masks)
    return -distribution.log_prob(actions).mean(), int((distribution.mode() == actions).sum())


def with_random_actions(actions: Actions, masks: Masks, epsilon: float, rng: np.random.Generator) -> Actions:
    """Return the actions (k,) with a share `epsilon` replaced by random legal ones. The masks are (k, actions)."""
    uniform = np.where(masks == 1, rng.random(masks.shape), -1.0).argmax(axis=1)
    return np.where(rng.random(len(actions)) < epsilon, uniform, actions)


class _Demonstrator:
    """The expert with a share of random actions. It records the actions of the expert."""

    def __init__(self, expert: Agent, epsilon: float, spec: NetworkSpec) -> None:
        self.name = expert.name
        self.records: list[tuple[npt.NDArray[Any], Masks, Actions]] = []
        self._expert = expert
        self._epsilon = epsilon
        self._spec = spec

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the expert's actions, a share of them replaced by random ones."""
        actions = answer_of(self._expert, obs, rng)
        self.records.append((policy_inputs(self._spec, obs).copy(), obs.action_mask.copy(), actions))
        return with_random_actions(actions, obs.action_mask, self._epsilon, rng)
