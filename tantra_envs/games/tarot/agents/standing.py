"""Who is ahead: search, measures and drawings count it here."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.playouts import standings
from ....core.state import States

UNIT = "net points"


@kernel
def standing(s: Any, seat: int) -> float:
    """Return the points of all hands: how a seat stands where a playout stops."""
    return float(s.totals[seat])


def points(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return the net scores. The seat ahead in the hand also gets its score if the hand ended now (T-70)."""
    made = states["points"][:, : game.players].astype(np.int64)
    ordered = np.sort(made, axis=1)
    gain = np.where(made == ordered[:, -1:], made - ordered[:, -2:-1], 0)
    gain[states["over"] == 1] = 0  # the net scores include it already
    return standings(game, states).astype(np.int64) + gain
