"""Karma: cards left to get rid of, and what it is worth to be dealt a card."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.karma.material import CARD_NAMES, TYPES

from ...harness.figures import slope
from ...harness.transitions import Ints
from ..question import Question
from . import Observer

UNIT = "cards left"


def current_points(game: Game, states: States) -> npt.NDArray[Any]:
    """Minus the cards a seat still has; when several are out, the lead stays with the first."""
    held = states["hand_n"].astype(np.int64) + states["up_n"] + states["down_n"]
    return np.asarray(-held[:, : game.players])


class GameObserver(Observer):
    """The cards each seat is dealt, face-down ones included."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        super().__init__(game, dealt, places)
        at = np.arange(len(dealt))[:, None], places
        self._dealt = (dealt["hands"] + dealt["up"])[at].astype(np.int64)
        for card in range(TYPES):
            self._dealt[:, :, card] += (dealt["down"][at] == card).sum(axis=2)

    def columns(self, states: States) -> dict[str, Any]:
        """dealt_CARD_p: cards of a type dealt to place p."""
        cards = [(card, place) for card in range(TYPES) for place in range(self._dealt.shape[1])]
        return {f"dealt_{CARD_NAMES[card]}_{place + 1}": self._dealt[:, place, card] for card, place in cards}


def questions(game: Game) -> list[Question]:
    """What cards are worth."""
    return [
        Question(
            "What is a card worth?",
            "How much the score of a seat rises with each more card of a type among the nine it is dealt; "
            "0.01 is one more game won of a hundred, against one other.",
            "score for a card",
            [slope(card, _dealt_and_score(game, card)) for card in CARD_NAMES],
            even=0.0,
        )
    ]


def _dealt_and_score(game: Game, card: str) -> list[tuple[pl.Expr, pl.Expr]]:
    return [(pl.col(f"dealt_{card}_{p}"), pl.col(f"score_{p}")) for p in range(1, game.players + 1)]
