"""What a study must know about a particular game: one file for each."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

from ...harness.by_game import game_module
from ...harness.transitions import Ints, Transitions
from ..question import Question


class Observer:
    """Looks at tables while they are replayed, and notes what the game's own questions need."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        """Tables as dealt, and the team at each place."""
        self._places = places

    @staticmethod
    def first(dealt: States) -> Ints:
        """The seat at place 1 of tables as dealt, shape (n,): who acts first."""
        return np.asarray(dealt["seat"], np.int64)

    def observe(self, t: Transitions) -> None:
        """One action at each table still going; of most games nothing of it is noted."""

    def columns(self, states: States) -> dict[str, Any]:
        """Columns about the finished games; numbers about a team end in its place."""
        raise NotImplementedError


class GameModule(Protocol):
    """A file in this folder."""

    UNIT: str  # what `current_points` counts
    GameObserver: type[Observer]

    def current_points(self, game: Game, states: States) -> npt.NDArray[Any]:
        """How every team stands, shape (k, teams), most = leading; when over, how it ended."""
        ...

    def questions(self, game: Game) -> list[Question]:
        """The game's own questions, asked of the columns that its observer adds."""
        ...


def load(game: Game) -> GameModule:
    """The file of a game; ValueError if there is none."""
    module: GameModule = game_module(__name__, game)
    return module
