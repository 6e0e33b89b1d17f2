"""A player that plays the likeliest action of a network, whatever works the network out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tantra_envs.core.observation import Actions, Observation
from tantra_envs.opinions import Opinion

from .network_spec import Observations, network_inputs


class Likeliest:
    """Plays the likeliest action by `network`, which turns its inputs (see `network_inputs`) into logits."""

    def __init__(self, name: str, network: Callable[[Observations], Observations], advice: bool = False) -> None:
        self.name = name
        self.advice = advice
        self._network = network

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The likeliest legal action at every table."""
        return np.asarray(self.logits(obs).argmax(axis=1), np.int64)

    def weigh(self, obs: Observation, rng: np.random.Generator) -> tuple[Actions, list[Opinion | None]]:
        """The same, and how probable the network thinks the legal actions."""
        logits = self.logits(obs)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        probable = weights / weights.sum(axis=1, keepdims=True)
        told = [{int(a): float(row[a]) for a in np.flatnonzero(mask)}
                for row, mask in zip(probable, obs.action_mask, strict=True)]  # fmt: skip
        actions = np.asarray(logits.argmax(axis=1), np.int64)
        return actions, [Opinion("probability", values, {}) for values in told]

    def logits(self, obs: Observation) -> Observations:
        """Logits of all actions, shape (k, actions.size); of illegal ones -inf."""
        inputs = network_inputs(obs.game, obs.observation, obs.action_mask, self.advice)
        return np.where(obs.action_mask, self._network(inputs), np.float32(-np.inf))
