"""Uniform: the random agent. All legal actions are equally likely."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.observation import Actions, Observation


class Uniform:
    """The random agent."""

    def __init__(self, game: Game) -> None:
        self.name = "uniform"

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return a uniformly random legal action at every table, shape (k,)."""
        tables, actions = obs.action_mask.shape
        numbers = obs.random(rng, np.full(tables, actions)).reshape(tables, actions)
        chosen: Actions = (obs.action_mask * (1 - numbers)).argmax(axis=1)
        return chosen

    def probabilities(self, obs: Observation) -> npt.NDArray[np.float64]:
        """Return the probabilities of all actions at every table, shape (k, game.actions.size)."""
        return np.asarray(obs.action_mask / obs.action_mask.sum(axis=1, keepdims=True))
