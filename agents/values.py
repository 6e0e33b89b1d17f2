"""What positions are worth, told by a network: the share of the others that a seat will beat, by what it sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions
from tantra_envs.core.state import States
from tantra_envs.opponents.model_files import logits_of, read_card, read_tensors


class Values:
    """The value network in a model file of `training learn`; ValueError if it is none, or does not fit the game."""

    def __init__(self, game: Game, file: str | Path) -> None:
        card = read_card(Path(file))
        if card.spec.output != "value":
            raise ValueError(f"{file} plays actions and tells no values; allowed: a value network of training learn")
        self.origin: dict[str, Any] = card.origin
        self._game, self._logits = game, logits_of(card.spec, read_tensors(Path(file), card, game), game)

    def __call__(self, states: States, seats: Actions) -> npt.NDArray[np.float64]:
        """The worth of tables (n,) to a seat of each, (n,)."""
        logits = self._logits(self._game.view.to_float(views(self._game, states, seats)))[:, 0]
        return np.asarray(1 / (1 + np.exp(-logits, dtype=np.float64)))


def views(game: Game, states: States, seats: Actions) -> npt.NDArray[Any]:
    """What a seat sees at each of the tables (n,), in whole numbers, (n, view.size)."""
    narrow = np.zeros((len(states), game.view.size), game.view.dtype)
    masks = np.zeros((len(states), game.actions.size), np.int8)
    game.drivers.observe_rows(states, np.arange(len(states)), np.asarray(seats, np.int64), narrow, masks)
    return narrow
