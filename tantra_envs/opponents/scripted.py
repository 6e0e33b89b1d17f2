"""Scripted: plays a game as a sensible person does. The player itself is in its folder: `player.py`."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation


class Scripted:
    """The game's own player, compiled, deciding at all tables in one call. It uses no chance."""

    def __init__(self, game: Game) -> None:
        self.name = "scripted"
        self._choose = game.scripted.choose

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Its action at every table."""
        return self._choose(obs.game, obs.observation, obs.action_mask)
