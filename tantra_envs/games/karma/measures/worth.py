"""Worth in Karma: the cards left to get rid of, and the worth of a card in the deal."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.karma.material import CARD_NAMES, TYPES
from tantra_envs.measures import Counter, Ints, Measure, WorthObserver, slope

CARD = slope(
    "worth of a card",
    "The change of a seat's score for each additional card of a type among the nine cards it is dealt. "
    "With two players, 0.01 is one more win in a hundred games.",
    CARD_NAMES,
    unit="score for a card",
)


def measures(game: Game) -> tuple[Measure, ...]:
    """Return the worth of cards."""
    return (CARD,)


class Worth(WorthObserver):
    """Counts the cards each seat is dealt, face-down ones included."""

    def __init__(self, game: Game, dealt: States, places: Ints, counter: Counter) -> None:
        super().__init__(game, dealt, places, counter)
        at = np.arange(len(dealt))[:, None], places
        self._dealt = (dealt["hands"] + dealt["up"])[at].astype(np.int64)
        for card in range(TYPES):
            self._dealt[:, :, card] += (dealt["down"][at] == card).sum(axis=2)

    def end(self, states: States, scores: npt.NDArray[Any], finals: npt.NDArray[Any]) -> None:
        """Pair the cards of every seat with its score."""
        for card in range(TYPES):
            self.add_slope(CARD, self._dealt[:, :, card], scores, card)
