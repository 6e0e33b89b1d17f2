"""Value networks: they predict the score of a seat, the share of the others that it will beat, from its observation."""

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
    """The value network in a model file of `training learn`.

    Raises:
        ValueError: The file is not a value network, or it does not fit the game.
    """

    def __init__(self, game: Game, file: str | Path) -> None:
        card = read_card(Path(file))
        if card.spec.output != "value":
            raise ValueError(f"{file} holds a network that rates actions; allowed: a value network of training learn")
        self.origin: dict[str, Any] = card.origin
        self._game, self._logits = game, logits_of(card.spec, read_tensors(Path(file), card, game), game)

    def __call__(self, states: States, seats: Actions) -> npt.NDArray[np.float64]:
        """Return the expected score of a seat at each of the tables (n,), shape (n,)."""
        logits = self._logits(self._game.view.to_float(self._game.views(states, seats)[0]))[:, 0]
        return np.asarray(1 / (1 + np.exp(-logits, dtype=np.float64)))
