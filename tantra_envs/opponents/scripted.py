"""The scripted agent, which plays by the rules of thumb in the game's `scripted.py`."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation


class Scripted:
    """The scripted agent of `game`. One compiled call decides at all tables. It uses no random numbers."""

    def __init__(self, game: Game) -> None:
        self.name = "scripted"
        self._game, self._choose = game, game.scripted.choose

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return its action at every table, shape (k,), even if the game of `obs` has another scripted agent."""
        return self._choose(self._game, obs.known, obs.action_mask)

    def plays_in(self, game: Game) -> bool:
        """Return whether the drivers of `game` play like this agent, so that compiled loops can play for it."""
        return type(self) is Scripted and self._game.drivers is game.drivers
