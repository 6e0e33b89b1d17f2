"""The scripted agent, which plays by the rules of thumb in the game's `agents/scripted.py`."""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation
from ..core.playouts import chosen


class Scripted:
    """The scripted agent of `game`. One compiled call decides at all tables. It uses no random numbers.

    Raises:
        ValueError: The game has no scripted agent, or none for these options.
    """

    def __init__(self, game: Game) -> None:
        self.name = "scripted"
        self._game = game
        game.scripted.prepare(game)  # raises now, not at the first decision

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return its action at every table, shape (k,), even if the game of `obs` has another scripted agent."""
        return chosen(self._game, obs.known, obs.action_mask, self._game.scripted.prepare(self._game))

    def plays_in(self, game: Game) -> bool:
        """Return whether the drivers of `game` play like this agent, so that compiled loops can play for it."""
        return type(self) is Scripted and self._game.drivers is game.drivers
