"""What was decided at tables before: kept by who runs them, for players that judge by it what others may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .game import Game
from .state import States

KEPT = 128  # decisions at a table, the last ones: more than a hand of Tarot has


class Decision(NamedTuple):
    """Who took which action, and in which position: the record as bytes."""

    seat: int
    action: int
    position: bytes


class Past:
    """The last decisions at each of n tables. They hold the truth: nobody but an `Observation` reads them.

    Whoever runs tables calls `note` before actions are applied, and `forget` where a new game begins.
    """

    def __init__(self, game: Game, n: int) -> None:
        self._game = game
        self.__tables: list[tuple[Decision, ...]] = [()] * n

    def note(self, states: States, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """The `actions` (k,) are about to be taken at the tables `rows` (k,)."""
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            now = Decision(int(states["seat"][row]), action, states[row].tobytes())
            self.__tables[row] = (*self.__tables[row][1 - KEPT :], now)

    def forget(self, rows: Iterable[int]) -> None:
        """New games begin at these tables."""
        for row in rows:
            self.__tables[row] = ()

    def copy(self) -> Past:
        """The same, as it is now, whatever is noted later."""
        return self.at(range(len(self.__tables)))

    def at(self, rows: Iterable[int]) -> Past:
        """That of some tables, by their order here, as it is now."""
        tables = [self.__tables[row] for row in rows]
        found = Past(self._game, len(tables))
        found.__tables = tables
        return found

    def _of_others(self, row: int, seat: int) -> tuple[States, npt.NDArray[np.int64]]:
        """What others than `seat` decided at a table: positions (m,) and actions (m,)."""
        found = [decision for decision in self.__tables[row] if decision.seat != seat]
        if not found:
            return self._game.blanks(0), np.zeros(0, np.int64)
        positions = np.frombuffer(bytearray(b"".join(decision.position for decision in found)), self._game.blank.dtype)
        return positions, np.array([decision.action for decision in found], np.int64)


def remembered(game: Game, agents: Sequence[Any], n: int) -> Past | None:
    """Room for the past of n tables if one of the agents asks for it: if its attribute `remembers` is true."""
    return Past(game, n) if any(getattr(agent, "remembers", False) for agent in agents) else None
