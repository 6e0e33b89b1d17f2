"""Tarot: points towards the target, and how many of them are made before a card is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.games.tarot.state import Phase

from ...harness.figures import mean, quotient
from ...harness.transitions import Ints, Transitions
from ..question import Question, places
from . import Observer

UNIT = "net points"


def current_points(game: Game, states: States) -> npt.NDArray[Any]:
    """The net scores, and for who is ahead in the hand what they would score if it ended now (T-70)."""
    n = game.players
    points = states["points"][:, :n].astype(np.int64)
    ordered = np.sort(points, axis=1)
    gain = np.where(points == ordered[:, -1:], points - ordered[:, -2:-1], 0)
    gain[states["over"] == 1] = 0  # it is among the net scores already
    return np.asarray(states["totals"][:, :n] + gain)


class GameObserver(Observer):
    """The points of every seat when the play of the last hand begins, and at its end."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        super().__init__(game, dealt, places)
        self._reckoned = np.zeros(places.shape, np.int64)

    def observe(self, t: Transitions) -> None:
        """Before the first card of a hand the reckoning is done."""
        s = t.before
        opened = t.only((s["phase"] == Phase.PLAY) & (s["trick_no"] == 0) & (s["trick_n"] == 0))
        self._reckoned[opened.rows] = opened.before["points"][opened.k[:, None], self._places[opened.rows]]

    def columns(self, states: States) -> dict[str, Any]:
        """reckoned_p, made_p: points of place p in the last hand, before the play and in all."""
        made = states["points"][np.arange(len(states))[:, None], self._places].astype(np.int64)
        found = {f"reckoned_{place + 1}": self._reckoned[:, place] for place in range(made.shape[1])}
        return found | {f"made_{place + 1}": made[:, place] for place in range(made.shape[1])}


def questions(game: Game) -> list[Question]:
    """How much is decided by the cards dealt."""
    reckoned, made, scores = (places(what, game.players) for what in ("reckoned", "made", "score"))
    ahead = [own == pl.max_horizontal(reckoned) for own in reckoned]
    sole = pl.sum_horizontal(a.cast(pl.Int64) for a in ahead) == 1
    leads = [pl.when(a & sole).then(score) for a, score in zip(ahead, scores, strict=True)]
    return [
        Question(
            "How much is made before the play?",
            "The share of all points of a hand that are shown and called before the first card is played, and the "
            "score in the game of who is ahead then. A game of several hands is judged by its last one.",
            "share",
            [
                quotient("points made before the play", reckoned, made, bounds=(0.0, 1.0)),
                mean("score of who is ahead then", *leads, bounds=(0.0, 1.0)),
            ],
        ),
        Question(
            "How many points does a hand bring?",
            "Points of a seat before and in the play of a hand (of the last one, if there are several).",
            "points of a seat",
            [
                mean("before the play", *reckoned),
                mean("in the play", *(total - before for total, before in zip(made, reckoned, strict=True))),
            ],
        ),
    ]
