"""Who is ahead: search, measures and drawings count it here."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game
from ....core.playouts import standings
from ....core.state import States
from ..queries import cards_of

UNIT = "cards left"


@kernel
def standing(s: Any, seat: int) -> float:
    """Return minus the cards of a seat: how it stands where a playout stops."""
    return -float(cards_of(s, seat))


def points(game: Game, states: States) -> npt.NDArray[np.int64]:
    """Return minus the cards that each seat still has, shape (n, seats)."""
    return standings(game, states).astype(np.int64)
