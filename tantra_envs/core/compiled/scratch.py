"""Arrays that kernels work in, which travel together: those of one decision."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Scratch(NamedTuple):
    """What one thread needs to observe a seat and to ask the scripted agent."""

    narrow: npt.NDArray[Any]  # (view size,) integers of `game.view.dtype`: the observation in whole numbers
    factors: npt.NDArray[np.float32]  # `game.view.factors`, which make floats of them
    observation: npt.NDArray[np.float32]  # (view size,): the same as floats
    known: npt.NDArray[np.void]  # (1,): the concealed record
    mask: npt.NDArray[np.int8]  # (actions,)
    values: npt.NDArray[np.float64]  # (actions,): the agent's rating of every action
    work: npt.NDArray[np.void]  # (1,): the agent's own scratch, which its module's `prepare` makes


def new_scratch(
    state: np.dtype[Any], dtype: Any, factors: npt.NDArray[np.float32], actions: int, work: npt.NDArray[np.void]
) -> Scratch:
    """Return empty arrays for a record of a game, observations of this dtype, and this number of actions."""
    size = factors.shape[1]
    narrow, view = np.zeros(size, dtype), np.zeros(size, np.float32)
    return Scratch(narrow, factors, view, np.zeros(1, state), np.zeros(actions, np.int8), np.zeros(actions), work)
