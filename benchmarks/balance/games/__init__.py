"""What a study must know about a particular game: one file for each.

UNIT                                 what `standing` counts
standing(game, states) -> (k, teams)     how every team stands, most = leading; when over, how it ended
Watch(game, states, places)          notes what the game's own questions need; `places` as in games.py
questions(game) -> [Question]        the game's own questions, on the columns that Watch adds
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

from ..figures import Question

Ints = npt.NDArray[np.int64]


class Watch(Protocol):
    """Looks at tables while they are played."""

    def __init__(self, game: Game, states: States, places: Ints) -> None:
        """Tables as dealt."""

    def before(self, states: States, rows: Ints, actions: Ints) -> None:
        """The tables `rows` before these actions are applied."""

    def columns(self, states: States) -> dict[str, Any]:
        """Columns about the finished games; numbers about a team end in its place."""
        ...


class About(Protocol):
    """A file in this folder."""

    UNIT: str
    Watch: type[Watch]

    def standing(self, game: Game, states: States) -> npt.NDArray[Any]:
        """How every team stands, shape (k, teams)."""
        ...

    def questions(self, game: Game) -> list[Question]:
        """The game's own questions."""
        ...


def about(game: Game) -> About:
    """The file of a game; ValueError if nobody has written it."""
    name = f"{__name__}.{game.id}"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"{game.name}: nobody has said yet what is to be asked about its balance")
    module: About = importlib.import_module(name)  # type: ignore[assignment]
    return module
