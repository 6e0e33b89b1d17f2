"""What players may see, and what a player is. Nobody is handed the true state.

A player decides at many tables at once:

    class Cautious:
        name = "cautious"

        def act(self, obs, rng):
            return obs.action_mask.argmax(axis=1)  # the first legal action everywhere
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .game import Game, is_whole
from .past import Past
from .state import States

Actions = npt.NDArray[np.int64]


class Agent(Protocol):
    """A player of one game."""

    name: str

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """A legal action for every table of `obs`, shape (k,) int64. All chance comes from `rng`."""
        ...


class Observation:
    """The tables `rows` of `states` as the seats that decide there see them.

    observation: (k, game.view.size) float32; action_mask: (k, game.actions.size) int8; seat: (k,) int64. The
    first two are computed when first asked for, and valid until the tables move on. past: of all tables `states`.
    """

    def __init__(
        self, game: Game, states: States, rows: npt.NDArray[np.int64] | None = None, past: Past | None = None
    ) -> None:
        self.game = game
        self.__past = past
        self.__states = states = game.check_states(states)
        self.__rows = np.arange(len(states)) if rows is None else _checked_rows(game, rows, len(states))
        self.seat: Actions = states["seat"][self.__rows].astype(np.int64)
        self.__seen: tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]] | None = None

    def __len__(self) -> int:
        return len(self.__rows)

    @property
    def observation(self) -> npt.NDArray[np.float32]:
        """What each deciding seat sees."""
        return self._see()[0]

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """Which actions are legal."""
        return self._see()[1]

    def action_names(self, k: int) -> dict[int, str]:
        """The legal actions of table `k` in the player's words."""
        state = self.__states[self.__rows[k] : self.__rows[k] + 1]
        return {int(a): self.game.action_name(state, int(a)) for a in np.flatnonzero(self.action_mask[k])}

    def determinize(self, copies: int, rng: np.random.Generator, tables: npt.NDArray[np.int64] | None = None) -> States:
        """`copies` of every table, shape (k * copies,), table by table: all its player cannot know drawn again.

        tables: of these only, by their number here.
        """
        self.game.check("copies", copies, is_whole(copies) and copies >= 0, "0, 1, 2, ..")
        wanted = slice(None) if tables is None else _checked_rows(self.game, tables, len(self))
        states = np.repeat(self.__states[self.__rows[wanted]], copies)
        seeds = rng.integers(np.iinfo(np.int64).max, size=len(states), dtype=np.int64)
        self.game.drivers.redeal_rows(states, seeds, np.repeat(self.seat[wanted], copies))
        return states

    def log_odds(self, worlds: States, table: int) -> npt.NDArray[np.float64]:
        """How likely the others would have decided as they did, in each of the worlds (n,) of a table: logarithms.

        They are taken for the scripted player, but no action for impossible: see `Drivers.weigh_worlds`. Zeros where
        nobody kept what was decided. ValueError for a game whose tables cannot be rewound.
        """
        weigh = self.game.drivers.weigh_worlds
        if weigh is None:
            raise ValueError(f"{self.game.name}: its worlds cannot be weighed by what was decided before")
        odds, game = np.zeros(len(worlds)), self.game
        if self.__past is not None:
            row, seat = int(self.__rows[table]), int(self.seat[table])
            before, actions = self.__past._of_others(row, seat)
            seen = np.zeros(game.view.size, game.view.dtype), game.view.scale, np.zeros(game.view.size, np.float32)
            room = *seen, np.zeros(game.actions.size, np.int8), np.zeros(game.actions.size)
            weigh(worlds, before, before.repeat(1), actions, seat, *room, game.scripted.prepare(game), odds)
        return odds

    def _see(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        if self.__seen is None:
            narrow = np.empty((len(self), self.game.view.size), self.game.view.dtype)
            masks = np.empty((len(self), self.game.actions.size), np.int8)
            self.game.drivers.observe_rows(self.__states, self.__rows, self.seat, narrow, masks)
            self.__seen = self.game.view.to_float(narrow), masks
        return self.__seen


def _checked_rows(game: Game, rows: Any, tables: int) -> npt.NDArray[np.int64]:
    """The row numbers as kernels read them; ValueError unless each is one of `tables`."""
    given = np.asarray(rows)
    fits = given.ndim == 1 and given.dtype.kind in "iu" and (given < tables).all() and (given >= 0).all()
    game.check("rows", rows, bool(fits), f"integers of shape (k,), each 0..{tables - 1}")
    return np.array(given, np.int64)
