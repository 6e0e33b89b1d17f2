"""Action spaces that sample legal actions, so that the usual loop of Gymnasium plays legal games."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.int8]


class LegalActions(gymnasium.spaces.Discrete):
    """All action ids of a game. Without a mask `sample()` draws an action that is legal now."""

    legal: Masks | None = None  # (actions,)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Draw a random action: by the mask or the probabilities if there are any, else a legal one."""
        return super().sample(self.legal if mask is None and probability is None else mask, probability)


class LegalActionsOfMany(gymnasium.spaces.MultiDiscrete):
    """All action ids for n tables. Masks and probabilities are arrays (n, actions), or tuples as in Gymnasium."""

    legal: Masks | None = None  # (n, actions)

    def __init__(self, tables: int, actions: int) -> None:
        super().__init__(np.full(tables, actions))

    def sample(self, mask: Any = None, probability: Any = None) -> npt.NDArray[np.int64]:
        """Draw a random action for every table."""
        mask = self.legal if mask is None and probability is None else mask
        return super().sample(_rows(mask), _rows(probability))


def _rows(array: Any) -> Any:
    return tuple(array) if isinstance(array, np.ndarray) else array
