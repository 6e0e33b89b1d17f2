"""Observations and agents. No agent gets the true state.

An agent decides at many tables at once:

    class Cautious:
        name = "cautious"

        def act(self, obs, rng):
            return obs.action_mask.argmax(axis=1)  # the first legal action everywhere
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .admission import admitted
from .chance import TableChance
from .features import Described, Describer
from .game import Game
from .options import Whole
from .past import Past
from .state import States

Actions = npt.NDArray[np.int64]


class Agent(Protocol):
    """An agent for one game."""

    name: str

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return a legal action for every table of `obs`, shape (k,) int64.

        All random numbers come from `rng`, either directly or through `obs.random(rng, counts)`,
        `obs.generator(rng, k)` and `obs.determinize(copies, rng)`. With these methods, the actions at a table do not
        depend on the other tables.
        """
        ...


class Observation:
    """The tables `rows` of `states`, as the seats that decide there see them.

    Args:
        game: The game.
        states: All tables, shape (n,).
        rows: The tables to decide at, shape (k,); None = all.
        past: The decisions so far at all tables.
        streams: A random stream of each table, shape (n, 4), int64. It is read and not advanced. None = the agent's
            `rng` decides for all tables.
        vouched: True = `states` and `rows` are known to be valid and are not checked, as in an environment.

    Attributes:
        seat: The seats to decide, shape (k,), int64.
    """

    def __init__(
        self,
        game: Game,
        states: States,
        rows: npt.NDArray[np.int64] | None = None,
        past: Past | None = None,
        streams: npt.NDArray[np.int64] | None = None,
        vouched: bool = False,
    ) -> None:
        self.game = game
        self.__past = past
        self.__streams = streams
        self.__chance: TableChance | None = None
        self.__states = states = states if vouched else admitted(game, states)
        if rows is None:
            rows = np.arange(len(states))
        elif not vouched:
            rows = _checked_rows(game, rows, len(states))
        self.__rows = rows
        self.seat: Actions = states["seat"][self.__rows].astype(np.int64)
        self.__seen: tuple[npt.NDArray[Any], npt.NDArray[np.int8]] | None = None  # compact observations, masks
        self.__observation: npt.NDArray[np.float32] | None = None
        self.__known: States | None = None
        self.__described: Described | None = None

    def __len__(self) -> int:
        return len(self.__rows)

    @property
    def observation(self) -> npt.NDArray[np.float32]:
        """Return the observation of each seat to decide, shape (k, game.view.size), float32.

        It is computed when first asked for, and valid until the tables move on.
        """
        if self.__observation is None:
            self.__observation = self.game.view.to_float(self._see()[0])
        return self.__observation

    @property
    def known(self) -> States:
        """Return what each seat to decide knows, as records (k,) with named fields.

        The page of the game lists the fields. The seat to decide is seat 0. Everything it does not know is zero.
        """
        if self.__known is None:
            self.__known = self._conceal()
        return self.__known

    @property
    def described(self) -> Described:
        """Return the legal actions of each seat to decide as rows of numbers: see `game.describe`.

        They are computed when first asked for. `game.features` names the columns.
        """
        if self.__described is None:
            self.__described = Describer(self.game, len(self))(self.__states, self.__rows, self.seat)
        return self.__described

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """Return 0 or 1 for each action of each seat to decide, shape (k, game.actions.size), int8."""
        return self._see()[1]

    def action_names(self, k: int) -> dict[int, str]:
        """Return the legal actions of table `k` with their words."""
        state = self.__states[self.__rows[k] : self.__rows[k] + 1]
        return {int(a): self.game.action_name(state, int(a)) for a in np.flatnonzero(self.action_mask[k])}

    def determinize(self, copies: int, rng: np.random.Generator, tables: npt.NDArray[np.int64] | None = None) -> States:
        """Return determinizations: copies with everything resampled that the seat to decide cannot know.

        Args:
            copies: The number of copies of each table.
            rng: The source of random numbers, unless tables have streams.
            tables: Numbers of the tables to copy; None = all k.

        Returns:
            States of shape (tables * copies,), table by table.
        """
        self.game.check_in("copies", copies, Whole(0))
        wanted = slice(None) if tables is None else _checked_rows(self.game, tables, len(self))
        rows = np.repeat(self.__rows[wanted], copies)
        states = self.__states.take(rows)  # an index would copy field by field and take four times as long
        seeds = self._seeds(rng, np.arange(len(self))[wanted], int(copies))
        self.game.drivers.redeal_rows(states, seeds, np.repeat(self.seat[wanted], copies))
        return states

    def random(self, rng: np.random.Generator, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return `counts[k]` floats in [0, 1) for each table k, table after table: shape (counts.sum(),).

        They come from the table's own stream if its environment has one, else from `rng`.
        """
        chance = self._chance()
        if chance is None:
            return rng.random(int(counts.sum()))
        return chance.floats(np.arange(len(self)), counts)

    def generator(self, rng: np.random.Generator, k: int) -> np.random.Generator:
        """Return a generator for table k alone if its environment has a stream for it, else `rng`."""
        chance = self._chance()
        return rng if chance is None else chance.generator(k)

    def _seeds(self, rng: np.random.Generator, tables: Actions, copies: int) -> Actions:
        """Return `copies` seeds for each of the `tables`, table after table."""
        chance = self._chance()
        if chance is None:
            return rng.integers(np.iinfo(np.int64).max, size=len(tables) * copies, dtype=np.int64)
        return chance.seeds(tables, copies)

    def _chance(self) -> TableChance | None:
        """Return the random numbers of this decision, or None if tables have no streams."""
        if self.__chance is None and self.__streams is not None:
            moments = self.__states["plies"][self.__rows].astype(np.int64)
            self.__chance = TableChance(self.__streams[self.__rows], moments)
        return self.__chance

    def log_odds(self, samples: States, table: int) -> npt.NDArray[np.float64]:
        """Return log-likelihoods, shape (n,), of the other seats' past decisions in determinizations (n,) of a table.

        The model of the other seats is the scripted agent, but every action has some probability. Without recorded
        decisions all values are zero.

        Raises:
            ValueError: A determinization looks different to the seat to decide, or the game cannot rewind.
        """
        self.game.check_in("table", table, Whole(0, len(self) - 1))
        samples = admitted(self.game, samples)
        row, seat = self.__rows[table : table + 1], self.seat[table : table + 1]
        own, theirs = self.game.views(self.__states, seat, row)[0], self.game.views(samples, seat)[0]
        if (own != theirs).any():
            raise ValueError(f"{self.game.name}: determinizations of table {table} look different to its seat")
        return self.__past.log_odds(samples, int(row[0]), int(seat[0])) if self.__past else np.zeros(len(samples))

    def _see(self) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        if self.__seen is None:
            self.__seen = self.game.views(self.__states, self.seat, self.__rows)
        return self.__seen

    def _conceal(self) -> States:
        """Return the concealed records of the tables; these were checked at the beginning."""
        known = np.zeros(len(self), self.__states.dtype)
        self.game.drivers.conceal_rows(self.__states, self.__rows, self.seat, self.seat, known)
        return known


def _checked_rows(game: Game, rows: Any, tables: int) -> npt.NDArray[np.int64]:
    """Return row numbers as kernels read them; raise ValueError unless each is one of `tables`."""
    given = np.asarray(rows)
    fits = given.ndim == 1 and given.dtype.kind in "iu" and (given < tables).all() and (given >= 0).all()
    game.check("rows", rows, bool(fits), f"integers of shape (k,), each 0..{tables - 1}")
    return np.array(given, np.int64)
