"""What players need to know about a particular game: one file for each.

choose(game, views, masks) -> (k,) actions    the scripted player
worth(game, views) -> (k,) numbers            how good a table looks to the seat that sees it, for greedy
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.sight import Actions


class Player(Protocol):
    """A file in this folder."""

    def choose(self, game: Game, views: npt.NDArray[np.float32], masks: npt.NDArray[np.int8]) -> Actions:
        """The scripted player's actions, shape (k,)."""
        ...

    def worth(self, game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """How good each table looks, shape (k,)."""
        ...


def player_of(game: Game) -> Player:
    """The file of a game; ValueError if nobody has written it."""
    name = f"{__name__}.{game.id}"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"{game.name}: there is no scripted or greedy player for it yet")
    module: Player = importlib.import_module(name)  # type: ignore[assignment]
    return module
