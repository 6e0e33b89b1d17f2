"""The arrays that kernels work in during one decision."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt


class Scratch(NamedTuple):
    """The arrays in which one thread observes a seat and asks the scripted agent."""

    narrow: npt.NDArray[Any]  # (view size,) integers of `game.view.dtype`: the observation in whole numbers
    factors: npt.NDArray[np.float32]  # `game.view.factors`, which turn them into floats
    input: npt.NDArray[Any]  # what the agent reads: the concealed record (1,), or the float observation (1, view size)
    mask: npt.NDArray[np.int8]  # (actions,)
    values: npt.NDArray[np.float64]  # (actions,): the agent's rating of every action
    work: npt.NDArray[np.void]  # (1,): the agent's own scratch, made by `prepare` of its module
