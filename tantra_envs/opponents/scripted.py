"""The scripted agent: it plays a game as a sensible person does, by the rules in the game's `scripted.py`."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation


class Scripted:
    """The scripted agent of `game`, compiled: one call decides at all tables. It uses no random numbers."""

    def __init__(self, game: Game) -> None:
        self.name = "scripted"
        self._game, self._choose = game, game.scripted.choose

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return its action at every table, whatever plays in its place in the game of `obs`."""
        return self._choose(self._game, obs.inputs_of(self._game.scripted), obs.action_mask)

    def plays_in(self, game: Game) -> bool:
        """Return whether the drivers of `game` play as this agent does, so that compiled loops need not ask it."""
        return type(self) is Scripted and self._game.drivers is game.drivers
