"""Features of a table of Tantrix that placements share, from the view of a seat."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ....core.compiled.jit import kernel
from ....core.game import Game

BLOCKS = ("tiles_to_come", "restrained", "scores")  # of the view, beside what the scripted player reads
SIZE = 6  # tiles to come, restrained, one-hot step, lead


def table_at(game: Game) -> npt.NDArray[np.int64]:
    """Where the blocks of the game's view begin that tell of a table."""
    return np.array([game.view[name].start for name in BLOCKS], np.int64)


@kernel
def describe_table(at: Any, view: Any, table: Any, seats: int) -> None:
    """What is the same for all placements."""
    table[0] = view[at[0]]
    for i in range(4):
        table[1 + i] = view[at[1] + i]
    table[5] = 5.0 * _lead(at, view, seats)


@kernel
def _lead(at: Any, view: Any, seats: int) -> float:
    best = 0.0
    for i in range(1, seats):
        best = max(best, view[at[2] + i])
    return float(view[at[2]] - best)
