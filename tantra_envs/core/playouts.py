"""The scripted player of a game, asked about many views at once, and playing many tables on."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .compiled.drivers import FOREVER
from .game import Game, scratch
from .observation import Actions
from .state import States

__all__ = ["FOREVER", "Actions", "Playouts", "chosen", "standings"]


def chosen(game: Game, inputs: Any, masks: npt.NDArray[np.int8], work: npt.NDArray[Any]) -> Actions:
    """Return the actions, shape (k,), of the agent that `work` was prepared for: see `Player.choose`."""
    actions = np.empty(len(inputs), np.int64)
    game.drivers.choose_rows(inputs, masks, work, actions)
    return actions


def standings(game: Game, states: States) -> npt.NDArray[np.float64]:
    """How every seat of the tables (n,) stands, (n, players), as the scripted player counts it."""
    values = np.empty((len(states), game.players))
    game.drivers.standing_rows(states, values)
    return values


class Playouts:
    """Room for the playouts of one thread; `played` counts their actions."""

    def __init__(self, game: Game) -> None:
        self._run, self._seats = game.drivers.scripted_playouts, game.players
        self._scratch = scratch(game)
        self.played = 0

    def run(self, states: States, plies: int = FOREVER, horizon: int = FOREVER) -> npt.NDArray[np.float64]:
        """Play the tables (n,) on in place, each to its end or to a horizon: what every seat is paid, (n, players).

        Every seat is played by the scripted player, from what it sees. horizon: in what the player's `clock` counts.
        """
        rewards = np.zeros((len(states), self._seats))
        every = 0, len(states)
        self.played += self._run(states, self._scratch, plies, horizon, rewards, *every)
        return rewards
