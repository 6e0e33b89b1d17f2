"""What was decided at tables before: kept by who runs them, for players that judge by it what others may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .game import Game, scratch
from .state import States

KEPT = 128  # decisions at a table, the last ones: more than a hand of Tarot has


class Decision(NamedTuple):
    """Who took which action, and in which position: the record as bytes."""

    seat: int
    action: int
    position: bytes


class Past:
    """The last decisions at each of n tables, where they tell something of its worlds. They hold the truth, unread.

    Whoever runs tables calls `note` before actions are applied, and `forget` where a new game begins.
    """

    def __init__(self, game: Game, n: int) -> None:
        self._game = game
        self.__tables: list[tuple[Decision, ...]] = [()] * n

    def note(self, states: States, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """The `actions` (k,) are about to be taken at the tables `rows` (k,)."""
        if self._game.drivers.weigh_worlds is None:
            return
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

    def log_odds(self, worlds: States, row: int, seat: int) -> npt.NDArray[np.float64]:
        """How likely others than `seat` would have decided as they did at a table, in each of its worlds (n,).

        See `Observation.log_odds`, which has looked at the worlds. ValueError for a game without a `rewind`.
        """
        game, odds = self._game, np.zeros(len(worlds))
        weigh = game.drivers.weigh_worlds
        if weigh is None:
            raise ValueError(f"{game.name}: what was decided before tells nothing of its worlds")
        found = [decision for decision in self.__tables[row] if decision.seat != seat]
        if found:
            before = np.frombuffer(bytearray(b"".join(decision.position for decision in found)), game.blank.dtype)
            actions = np.array([decision.action for decision in found], np.int64)
            weigh(worlds, before, before.repeat(1), actions, seat, scratch(game), odds)
        return odds


def remembered(game: Game, agents: Sequence[Any], n: int) -> Past | None:
    """Room for the past of n tables if one of the agents asks for it: if its attribute `remembers` is true."""
    return Past(game, n) if any(getattr(agent, "remembers", False) for agent in agents) else None
