"""What observers of a replayed game are shown: tables before an action, the action, and the tables after it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States

Ints = npt.NDArray[np.int64]
T = TypeVar("T", bound="Transitions")


@dataclass(frozen=True)
class Transitions:
    """One action at each of k tables: how they were, what was played, how they are now."""

    game: Game
    rows: Ints  # (k,) which tables
    before: States  # (k,)
    actions: Ints  # (k,)
    after: States  # (k,)

    def __len__(self) -> int:
        return len(self.rows)

    def only(self: T, which: npt.ArrayLike) -> T:
        """The tables where `which` (k,) is true."""
        arrays: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(self, **{name: array[np.asarray(which)] for name, array in arrays.items() if name != "game"})

    @property
    def k(self) -> Ints:
        """0 .. k - 1, to take one entry of each table: `before["hand_n"][t.k, seats]`."""
        return np.arange(len(self))

    @cached_property
    def masks(self) -> npt.NDArray[np.bool_]:
        """What was legal, shape (k, actions)."""
        return Observation(self.game, self.before).action_mask.astype(bool)
