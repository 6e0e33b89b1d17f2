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

from .chance import TableChance
from .game import Game, Player, is_whole
from .past import Past
from .state import States

Actions = npt.NDArray[np.int64]


class Agent(Protocol):
    """A player of one game."""

    name: str

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return a legal action for every table of `obs`, shape (k,) int64.

        All chance comes from `rng`, either directly or by `obs.random(rng, counts)`, `obs.generator(rng, k)` and
        `obs.determinize(copies, rng)`. With the latter the actions at a table do not depend on the tables beside it.
        """
        ...


class Observation:
    """The tables `rows` of `states` as the seats that decide there see them.

    observation: (k, game.view.size) float32; action_mask: (k, game.actions.size) int8; seat: (k,) int64. The
    first two are computed when first asked for, and valid until the tables move on. past: of all tables `states`.
    streams: (n, 4) int64, a random stream of each of all tables, which is read and not advanced; None = the agent's
    `rng` decides for all tables. vouched: whoever calls answers for `states` and `rows` (k,) int64, which are not
    checked then, as an environment does for its own tables.
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
        self.__states = states = states if vouched else game.check_states(states)
        if rows is None:
            rows = np.arange(len(states))
        elif not vouched:
            rows = _checked_rows(game, rows, len(states))
        self.__rows = rows
        self.seat: Actions = states["seat"][self.__rows].astype(np.int64)
        self.__seen: tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]] | None = None
        self.__known: States | None = None

    def __len__(self) -> int:
        return len(self.__rows)

    @property
    def observation(self) -> npt.NDArray[np.float32]:
        """What each deciding seat sees."""
        return self._see()[0]

    @property
    def known(self) -> States:
        """Return what each deciding seat knows, as records (k,) with named fields.

        The fields are those of the game's page. The deciding seat is seat 0, and what it does not know is zero.
        """
        if self.__known is None:
            self.__known = self.game.conceal(self.__states.take(self.__rows), self.seat)
        return self.__known

    def inputs_of(self, player: Player) -> Any:
        """Return what an agent's module looks at: `known`, or `observation`."""
        return self.known if player.LOOKS_AT == "known" else self.observation

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
        rows = np.repeat(self.__rows[wanted], copies)
        states = self.__states.take(rows)  # records whole: an index copies field by field and takes four times as long
        seeds = self._seeds(rng, np.arange(len(self))[wanted], int(copies))
        self.game.drivers.redeal_rows(states, seeds, np.repeat(self.seat[wanted], copies))
        return states

    def random(self, rng: np.random.Generator, counts: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """Return `counts[k]` floats in [0, 1) for each table k, table after table: (counts.sum(),).

        They come from the table's own stream where its environment has one, else from `rng`.
        """
        chance = self._chance()
        if chance is None:
            return rng.random(int(counts.sum()))
        return chance.floats(np.arange(len(self)), counts)

    def generator(self, rng: np.random.Generator, k: int) -> np.random.Generator:
        """Return a generator for table k alone where its environment has a stream of it, else `rng`."""
        chance = self._chance()
        return rng if chance is None else chance.generator(k)

    def _seeds(self, rng: np.random.Generator, tables: Actions, copies: int) -> Actions:
        """Return `copies` seeds for each of the `tables`, table after table."""
        chance = self._chance()
        if chance is None:
            return rng.integers(np.iinfo(np.int64).max, size=len(tables) * copies, dtype=np.int64)
        return chance.seeds(tables, copies)

    def _chance(self) -> TableChance | None:
        """Return the numbers of this decision, or None where tables have no streams."""
        if self.__chance is None and self.__streams is not None:
            moments = self.__states["plies"][self.__rows].astype(np.int64)
            self.__chance = TableChance(self.__streams[self.__rows], moments)
        return self.__chance

    def log_odds(self, worlds: States, table: int) -> npt.NDArray[np.float64]:
        """How likely the others would have decided as they did, in each of the worlds (n,) of a table: logarithms.

        They are taken for the scripted player, but no action for impossible. Zeros where nobody kept what was decided.
        ValueError for worlds that do not look like the table to its player, and for the past of a game that tells none.
        """
        self.game.check("table", table, is_whole(table) and 0 <= table < len(self), f"0..{len(self) - 1}")
        worlds, row, seat = self.game.check_states(worlds), self.__rows[table : table + 1], self.seat[table : table + 1]
        own, theirs = self._views(self.__states, row, seat), self._views(worlds, np.arange(len(worlds)), seat)
        if (own[0] != theirs[0]).any():
            raise ValueError(f"{self.game.name}: these are no worlds of table {table}: its player sees something else")
        return self.__past.log_odds(worlds, int(row[0]), int(seat[0])) if self.__past else np.zeros(len(worlds))

    def _see(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        if self.__seen is None:
            narrow, masks = self._views(self.__states, self.__rows, self.seat)
            self.__seen = self.game.view.to_float(narrow), masks
        return self.__seen

    def _views(self, states: States, rows: Actions, seats: Actions) -> tuple[npt.NDArray[Any], npt.NDArray[np.int8]]:
        """What `seats` (k,), or one on all of them, see at the tables `rows` in whole numbers, and what they may do."""
        narrow = np.empty((len(rows), self.game.view.size), self.game.view.dtype)
        masks = np.empty((len(rows), self.game.actions.size), np.int8)
        self.game.drivers.observe_rows(states, rows, np.resize(seats, len(rows)), narrow, masks)
        return narrow, masks


def _checked_rows(game: Game, rows: Any, tables: int) -> npt.NDArray[np.int64]:
    """The row numbers as kernels read them; ValueError unless each is one of `tables`."""
    given = np.asarray(rows)
    fits = given.ndim == 1 and given.dtype.kind in "iu" and (given < tables).all() and (given >= 0).all()
    game.check("rows", rows, bool(fits), f"integers of shape (k,), each 0..{tables - 1}")
    return np.array(given, np.int64)
