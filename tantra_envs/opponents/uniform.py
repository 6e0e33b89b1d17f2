"""Uniform: every legal action is as likely as any other."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation


class Uniform:
    """The shortest player there is."""

    def __init__(self, game: Game) -> None:
        self.name = "uniform"

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """A random number for every action, zero for illegal ones; the largest is played."""
        tables, actions = obs.action_mask.shape
        drawn = obs.random(rng, np.full(tables, actions)).reshape(tables, actions)
        chosen: Actions = (obs.action_mask * (1 - drawn)).argmax(axis=1)
        return chosen
