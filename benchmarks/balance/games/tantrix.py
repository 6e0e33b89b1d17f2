"""Tantrix: the tiles in a colour's best line, and whether it is a line or a loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tantrix.loops import longest_loops

from ...harness.figures import mean, share
from ..question import Question, places
from . import Observer

UNIT = "points"


def current_points(game: Game, states: States) -> npt.NDArray[Any]:
    """The score of every seat's colour."""
    own = states["colours"][:, : game.players].astype(np.int64)
    return np.take_along_axis(states["best"], own, axis=1)


class GameObserver(Observer):
    """The loops on the table at the end."""

    def columns(self, states: States) -> dict[str, Any]:
        """loop_p: the score of the longest loop in the colour of place p, 0 = it has none."""
        by_place = np.take_along_axis(longest_loops(states), self._places, axis=1)
        return {f"loop_{place + 1}": by_place[:, place] for place in range(self._places.shape[1])}


def questions(game: Game) -> list[Question]:
    """Loops against lines."""
    loops, finals, scores = (places(what, game.players) for what in ("loop", "final", "score"))
    won = [(loop > 0) & (loop == final) for loop, final in zip(loops, finals, strict=True)]
    return [
        Question(
            "Loops or lines?",
            "A loop counts double. How many seats close one, how many score by it, and the score of those who do, and "
            "of those whose best is a line, against the others; 0.5 is even.",
            "share, score",
            [
                share("seats that close a loop", *(loop > 0 for loop in loops)),
                share("seats that score by a loop", *won),
                mean("score by a loop", *_where(won, scores), bounds=(0.0, 1.0)),
                mean("score by a line", *_where([~by_loop for by_loop in won], scores), bounds=(0.0, 1.0)),
            ],
        ),
        Question(
            "How many points does a seat make?",
            "Points of a seat at the end, by a line, by a loop (two for each tile) and in all.",
            "points of a seat",
            [
                mean("by a line", *_where([~by_loop for by_loop in won], finals)),
                mean("by a loop", *_where(won, finals)),
                mean("all seats", *finals),
            ],
        ),
    ]


def _where(conditions: list[pl.Expr], values: list[pl.Expr]) -> list[pl.Expr]:
    return [pl.when(condition).then(value) for condition, value in zip(conditions, values, strict=True)]
