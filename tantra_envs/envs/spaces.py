"""Action spaces that sample what is legal now, so that the usual loop of Gymnasium plays proper games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.int8]


class LegalActions(gymnasium.spaces.Discrete):
    """All action ids of a game; `sample()` without a mask draws one that is legal now."""

    legal: Masks | None = None  # (actions,)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """A random action: by the mask or the probabilities given, else a legal one."""
        return super().sample(self.legal if mask is None and probability is None else mask, probability)


class LegalActionsOfMany(gymnasium.spaces.MultiDiscrete):
    """The same for n tables: masks and probabilities are arrays (n, actions), or tuples as Gymnasium has them."""

    legal: Masks | None = None  # (n, actions)

    def __init__(self, tables: int, actions: int) -> None:
        super().__init__(np.full(tables, actions))

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        """A random action for every table."""
        mask = self.legal if mask is None and probability is None else mask
        return super().sample(_rows(mask), _rows(probability))


def _rows(array: Any) -> Any:
    return tuple(array) if isinstance(array, np.ndarray) else array
