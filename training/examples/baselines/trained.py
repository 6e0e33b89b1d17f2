"""Agents for weights that `ppo:FILE` would play wrongly: networks of state and action, and policies to sample from."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from safetensors.numpy import load_file

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.opponents.learned import LearnedAgent
from tantra_envs.opponents.networks import sampled_at


class SampledPolicy(LearnedAgent):
    """An agent that draws its actions from the policy in a model file. A subclass sets `weights`."""

    weights: ClassVar[Path]

    def __init__(self, game: Game) -> None:
        super().__init__(game, self.weights, self.weights.stem)

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return an action for every table, shape (k,)."""
        return sampled_at(obs, np.arange(len(obs)), self.logits(obs), rng)


class ActionValues:
    """An agent that plays the legal action with the highest value of a network, whose inputs are a state and an action.

    A subclass sets `weights`. The action is a one-hot vector.

    Raises:
        ValueError: The weights are those of another game.
    """

    weights: ClassVar[Path]

    def __init__(self, game: Game) -> None:
        tensors = load_file(self.weights)
        linear = sorted({name.rpartition(".")[0] for name in tensors}, key=lambda name: int(name.rpartition(".")[2]))
        self._layers = [(tensors[f"{name}.weight"], tensors[f"{name}.bias"]) for name in linear]
        inputs = game.view.size + game.actions.size
        if self._layers[0][0].shape[1] != inputs:
            raise ValueError(f"{self.weights} has {self._layers[0][0].shape[1]} inputs; {game.name} has {inputs}")
        self._states = game.view.size
        self.name = self.weights.stem
        self.origin = {"digest": hashlib.sha256(self.weights.read_bytes()).hexdigest()[:12]}

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return an action for every table, shape (k,)."""
        masks = obs.action_mask
        rows, actions = np.nonzero(masks)
        values = np.full(masks.shape, -np.inf, np.float32)
        values[rows, actions] = self._values(obs.observation, rows, actions)
        return np.asarray(values.argmax(axis=1), np.int64)

    def _values(self, views: Any, rows: Any, actions: Any) -> Any:
        """Return the values (n,) of the actions at the tables `rows`. A table's part of the first layer is shared."""
        (weights, biases), *others = self._layers
        hidden = (views @ weights[:, : self._states].T + biases)[rows] + weights[:, self._states :].T[actions]
        for weight, bias in others:
            hidden = np.maximum(hidden, 0) @ weight.T + bias
        return hidden[:, 0]
