"""The reasons of the points of a hand: cards shown, calls, the Fool, kings cut, and tricks (T-30 to T-64)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....core.game import Game
from ....core.state import States
from ....drawing import Move
from ..state import HandClass, Phase
from .events import events

NAMES = ("earlier", "honours", "trumps", "cards in a row", "cards shown", "calls", "the Fool", "kings cut", "tricks")
CLASSES = {
    HandClass.TAROTS: "honours",
    HandClass.GREATER: "trumps",
    HandClass.LESSER: "trumps",
    HandClass.TRUMPS: "trumps",
}


def reasons(game: Game, moves: Sequence[Move], end: States) -> list[tuple[str, list[int]]]:
    """Return the reasons of the points of a finished hand, each with the points of every seat.

    Args:
        game: The game.
        moves: The actions of the hand.
        end: The table at the end of the hand. The last action also dealt the next one.
    """
    rows = {name: np.zeros(game.players, np.int64) for name in NAMES}
    if moves:
        rows["earlier"] += moves[0].before["points"][0, : game.players]  # before the first action that is known
    for i, move in enumerate(moves):
        after = end if i == len(moves) - 1 else move.after
        points = events(move.before, move.action, after)[0]["points"][:, : game.players]
        for source, made in zip(_sources(move.before[0]), points, strict=True):
            rows[source] += made
    return [(name, points.tolist()) for name, points in rows.items() if points.any()]


def _sources(was: Any) -> tuple[str, ...]:
    """Return the names of the sources of points; those of cards that are shown depend on the class that was asked."""
    shown, cls = "cards shown", int(was["cls"])  # without questions [T-32]
    if was["phase"] == Phase.DECLARE:
        shown = CLASSES[HandClass(cls)] if cls < HandClass.SEQ_TRUMPS else "cards in a row"
    return shown, "calls", "tricks", "kings cut", "the Fool"
