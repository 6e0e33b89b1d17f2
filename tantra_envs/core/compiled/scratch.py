"""The arrays that kernels work in during one decision."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Scratch(NamedTuple):
    """The arrays in which one thread observes a seat and asks the scripted agent."""

    narrow: npt.NDArray[Any]  # (view size,) integers of `game.view.dtype`: the observation in whole numbers
    factors: npt.NDArray[np.float32]  # `game.view.factors`, which turn them into floats
    observation: npt.NDArray[np.float32]  # (view size,): the observation as floats
    known: npt.NDArray[np.void]  # (1,): the concealed record
    mask: npt.NDArray[np.int8]  # (actions,)
    values: npt.NDArray[np.float64]  # (actions,): the agent's rating of every action
    work: npt.NDArray[np.void]  # (1,): the agent's own scratch, made by `prepare` of its module


def new_scratch(
    state: np.dtype[Any], dtype: Any, factors: npt.NDArray[np.float32], actions: int, work: npt.NDArray[np.void]
) -> Scratch:
    """Return empty arrays for a record of a game, observations of this dtype, and a number of actions."""
    size = factors.shape[1]
    narrow, view = np.zeros(size, dtype), np.zeros(size, np.float32)
    return Scratch(narrow, factors, view, np.zeros(1, state), np.zeros(actions, np.int8), np.zeros(actions), work)
