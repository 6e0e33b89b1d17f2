"""Scripted: plays a game as a sensible person does. The player itself is in its folder: `player.py`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation


class Scripted:
    """The game's own player, compiled, deciding at all tables in one call. It uses no chance."""

    def __init__(self, game: Game) -> None:
        self.name = "scripted"
        self._choose, self._drivers = game.scripted.choose, game.drivers

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Its action at every table."""
        game = obs.game
        if game.drivers is not self._drivers:  # a table at which a network stands in its place
            game = replace(game, drivers=self._drivers)
        return self._choose(game, obs.observation, obs.action_mask)
