"""What was decided at tables before: kept by who runs them, for players that judge by it what others may hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .game import Game
from .state import States

KEPT = 128  # decisions at each table, the last ones: more than a hand of Tarot has


class Past:
    """The last decisions at each of n tables. They hold the truth, so nobody reads them but an `Observation`.

    Whoever runs tables calls `note` before actions are applied, and `forget` where a new game begins.
    """

    def __init__(self, n: int) -> None:
        self.__tables: list[deque[tuple[States, int]]] = [deque(maxlen=KEPT) for _ in range(n)]

    def note(self, states: States, rows: npt.NDArray[np.int64], actions: Iterable[int]) -> None:
        """The `actions` (k,) are about to be taken at the tables `rows` (k,)."""
        before = states[rows]
        for i, (row, action) in enumerate(zip(rows.tolist(), actions, strict=True)):
            self.__tables[row].append((before[i : i + 1], int(action)))

    def forget(self, rows: Iterable[int]) -> None:
        """New games begin at these tables."""
        for row in rows:
            self.__tables[row].clear()

    def _of_others(self, row: int, seat: int) -> tuple[States, npt.NDArray[np.int64]] | None:
        """What others than `seat` decided at a table: positions (m,) and actions (m,); None if they did not."""
        found = [(before, action) for before, action in self.__tables[row] if before["seat"][0] != seat]
        if not found:
            return None
        return np.concatenate([before for before, _ in found]), np.array([action for _, action in found], np.int64)


def remembered(agents: Sequence[Any], n: int) -> Past | None:
    """Room for the past of n tables if one of the agents asks for it: it has a true attribute `remembers`."""
    return Past(n) if any(getattr(agent, "remembers", False) for agent in agents) else None
