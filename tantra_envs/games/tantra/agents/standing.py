"""Who is ahead: search, measures and drawings count it here."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.compiled.starting import seldom
from ....core.game import Game
from ....core.playouts import standings
from ....core.state import States
from ..sets.search.laying import deficit
from ..sets.tabled import hand_points

UNIT = "points"


@kernel
def standing(s: Any, seat: int) -> float:
    """Return the value of a seat where a playout stops, on the scale of a reward: its score."""
    return float(-s.scores[seat] if s.opt.low_score_wins else s.scores[seat])


def points(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return the scores minus the points in hand; scores are negated where low scores win."""
    held = np.zeros((len(states), game.players), np.int64)
    _hand_points_rows(np.ascontiguousarray(states), held)
    held[states["over"] == 1] = 0  # the scores include these points already
    return standings(game, states).astype(np.int64) - held


@seldom
def _hand_points_rows(states: Any, values: Any) -> None:
    for i in range(len(states)):
        for seat in range(states[i].seats):
            values[i, seat] = hand_points(states[i], seat)


@seldom
def lacking(states: Any, seat: int) -> int:
    """Return the number of wild cards that a hand lacks for the sets of its Display Card, at one table (1,) [R-19]."""
    return deficit(states[0], seat)
