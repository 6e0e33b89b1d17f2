"""Who is ahead: search, measures and drawings count it here."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.state import States
from ..melds import table_points_rows, team_of

UNIT = "points"


@kernel
def standing(s: Any, seat: int) -> float:
    """Return the total of a seat's team in units of reward; playouts that stop early use it."""
    return float(s.score[team_of(s, seat)] / s.opt.reward_scale)


def points(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return the totals, plus the points on the table while a round is played."""
    laid = np.zeros((len(states), len(game.teams)), np.int64)
    table_points_rows(np.ascontiguousarray(states), laid)
    laid[states["over"] == 1] = 0  # the totals include these points already
    return states["score"][:, : len(game.teams)] + laid
