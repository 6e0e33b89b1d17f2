"""The past decisions at tables, for agents that infer hidden cards from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .game import Game, scratch
from .state import States

KEPT = 128  # decisions stored per table, the last ones; a hand of Tarot has fewer


class Decision(NamedTuple):
    """One decision: the seat, its action, and the bytes of the position."""

    seat: int
    action: int
    position: bytes


class Past:
    """The last decisions at each of n tables. It stores true states; only `log_odds` reads them.

    The code that runs the tables calls `note` before actions are applied, and `forget` when a new game begins.
    """

    def __init__(self, game: Game, n: int) -> None:
        self._game = game
        self.__tables: list[tuple[Decision, ...]] = [()] * n

    def note(self, states: States, rows: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """Record that the `actions` (k,) are about to be taken at the tables `rows` (k,)."""
        if self._game.drivers.log_likelihoods is None:
            return
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            now = Decision(int(states["seat"][row]), action, states[row].tobytes())
            self.__tables[row] = (*self.__tables[row][1 - KEPT :], now)

    def forget(self, rows: Iterable[int]) -> None:
        """Clear the past of tables at which new games begin."""
        for row in rows:
            self.__tables[row] = ()

    def copy(self) -> Past:
        """Return a copy that later notes do not change."""
        return self.at(range(len(self.__tables)))

    def at(self, rows: Iterable[int]) -> Past:
        """Return the past of some tables, in the order of `rows`."""
        tables = [self.__tables[row] for row in rows]
        found = Past(self._game, len(tables))
        found.__tables = tables
        return found

    def log_odds(self, samples: States, row: int, seat: int) -> npt.NDArray[np.float64]:
        """Return log-likelihoods (n,) of other seats' decisions in determinizations (n,) of table `row`.

        `Observation.log_odds` has checked the determinizations. ValueError for a game without `rewind`.
        """
        game, odds = self._game, np.zeros(len(samples))
        add_to = game.drivers.log_likelihoods
        if add_to is None:
            raise ValueError(f"{game.name}: the game has no `rewind`, so past decisions give no likelihoods")
        found = [decision for decision in self.__tables[row] if decision.seat != seat]
        if found:
            before = np.frombuffer(bytearray(b"".join(decision.position for decision in found)), game.blank.dtype)
            actions = np.array([decision.action for decision in found], np.int64)
            add_to(samples, before, before.repeat(1), actions, seat, scratch(game), odds)
        return odds


def remembered(game: Game, agents: Sequence[Any], n: int) -> Past | None:
    """Return a `Past` of n tables if one of the agents needs it, that is if its attribute `remembers` is true."""
    return Past(game, n) if any(getattr(agent, "remembers", False) for agent in agents) else None
