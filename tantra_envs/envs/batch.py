"""Many tables at once, arrays in and arrays out: the fast path for any learner."""

from __future__ import annotations

import numbers
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled.drivers import seed_streams
from ..core.compiled.gate import Gate
from ..core.game import Game, as_seed
from .episode import check_illegal_reward
from .threads import Slices

Views = npt.NDArray[Any]
Masks = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Step = tuple[Views, Masks, npt.NDArray[np.float64], Flags, Flags]
OBSERVATION_DTYPES = ("float32", "compact")


class BatchEnv:
    """`n` tables of one game. Finished tables are dealt anew within the step that ends them.

    The arrays are allocated once and filled in place at every step; copy what must outlive it.

    - `seats`: (n,) int64, who decides
    - `observations`: (n, view.size), what that seat sees: float32, or with observation_dtype="compact" the whole
      numbers `game.view.dtype` it is made of; `game.view.to_float(observations)` makes the same float32 of them
    - `action_masks`: (n, actions.size) int8, what it may do
    - `rewards`: (n, players) float64, paid by the last step, by seat
    - `terminations`: (n,) bool, the last step ended the game by the rules; observations show the next deal then
    - `truncations`: (n,) bool, it was cut off; likewise

    Table i plays the deals seed + i, seed + n + i, seed + 2n + i, ..: the same games whatever else runs.
    Threads pay from some hundred tables on; results do not depend on their number. They poll for the next step for
    0.1 ms, then sleep. They end with `close`, with the `with` block or with the batch. `illegal_reward`: what a seat
    gets that chooses an illegal action, which then ends its table and changes no other; None makes it a ValueError.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        seed: int = 0,
        threads: int = 1,
        *,
        observation_dtype: str = "float32",
        illegal_reward: float | None = None,
    ) -> None:
        for name, value in (("n", n), ("threads", threads)):
            _check(game, name, value, _whole(value) and value > 0, "1, 2, 3, ..")
        allowed = observation_dtype in OBSERVATION_DTYPES
        _check(game, "observation_dtype", observation_dtype, allowed, " or ".join(map(repr, OBSERVATION_DTYPES)))
        check_illegal_reward(game, illegal_reward)
        self.game = game
        self.n = int(n)
        self.states = game.blanks(self.n)
        self._narrow = np.zeros((self.n, game.view.size), game.view.dtype)
        compact = observation_dtype == "compact"
        self.observations: Views = self._narrow if compact else np.zeros(self._narrow.shape, np.float32)
        self._legal = np.zeros((self.n, game.actions.size), np.int8)  # nobody but kernels writes to it
        self.action_masks = self._legal.copy()
        self.rewards = np.zeros((self.n, game.players))
        self.terminations = np.zeros(self.n, bool)
        self.truncations = np.zeros(self.n, bool)
        self._illegal_reward = illegal_reward
        self._seed = seed
        self._streams = np.zeros((self.n, 4), np.int64)
        self._chosen = np.zeros(self.n, np.int64)
        self._sampled = np.zeros(self.n, np.int64)
        self._seeds = np.zeros(self.n, np.int64)
        self._arrays = (
            self.states,
            self._chosen,
            self._seeds,
            self._narrow,
            game.view.factors,
            self.observations[:0] if compact else self.observations,
            self._legal,
            self.action_masks,
            self.rewards,
            self.terminations,
            self.truncations,
        )
        self._slices = Slices(self.n, int(threads))
        self.reset(seed)

    @property
    def seats(self) -> Ints:
        """The seat to decide at each table, shape (n,)."""
        return self.states["seat"].astype(np.int64)

    def reset(self, seed: int | None = None) -> tuple[Views, Masks]:
        """Deal all tables, from `seed` or once more from the last one: observations and action masks."""
        chosen = self._seed if seed is None else seed
        _check(self.game, "seed", chosen, _whole(chosen) and chosen >= 0, "0, 1, 2, ..")
        self._seed = int(chosen)
        first = as_seed(self._seed)
        every = np.arange(self.n)
        self._seeds[:] = first + every
        self._deal(every)
        seed_streams(self._streams, first)
        self.rewards[:] = 0.0
        self.terminations[:] = self.truncations[:] = False
        return self.observations, self.action_masks

    def step(self, actions: npt.ArrayLike) -> Step:
        """Play `actions` (n,), integers, one for the seat to decide at each table.

        Returns observations, action_masks, rewards, terminations, truncations.

        ValueError, with nothing changed, if they are no integers of this shape or, unless there is an
        `illegal_reward`, if one is illegal: it names the table, its seat and the legal actions.
        """
        given = _integers(self.game, actions, self.n)
        self._chosen[:] = given  # whatever happens to the caller's array, kernels see what was checked
        illegal = self._slices.run(self._play)
        if illegal >= 0:
            if self._illegal_reward is None:
                self._refuse(illegal, int(given[illegal]))
            else:
                self._forfeit(self._illegal_reward)
        return self.observations, self.action_masks, self.rewards, self.terminations, self.truncations

    def sample(self) -> Ints:
        """A uniform legal action for every table, shape (n,), from the batch's own random streams."""
        self._slices.run(self._draw)
        return self._sampled

    def close(self) -> None:
        """End the threads. A later step would start them again."""
        self._slices.close()

    def __enter__(self) -> BatchEnv:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Take over what a pickle holds; ValueError if its tables, or what follows from them, are damaged."""
        self.__dict__.update(kept)
        self.game.check_consistent(self.states)
        narrow, legal = np.zeros_like(self._narrow), np.zeros_like(self._legal)
        by_table = (self.states, narrow, legal, self._chosen, self._sampled, self._seeds, self._streams, self.rewards)
        fits = all(len(array) == self.n for array in by_table)
        if fits:
            self.game.drivers.observe_rows(self.states, np.arange(self.n), self.seats, narrow, legal)
        if not fits or (legal != self._legal).any():
            raise ValueError(f"{self.game.name}: the copy is damaged: its arrays do not belong to its tables")

    def _play(self, lo: int, hi: int, gate: Gate) -> int:
        """Step the tables lo..hi-1; return -1, or the first illegal action of all, which the first slice looks for."""
        illegal: int = self.game.drivers.step_batch(*self._arrays, lo, hi, gate, int(lo == 0))
        return illegal

    def _draw(self, lo: int, hi: int, gate: Gate) -> int:
        drawn: int = self.game.drivers.sample_legal(self._legal, self._streams, self._sampled, lo, hi, gate)
        return drawn

    def _deal(self, rows: Ints) -> None:
        """Deal the tables `rows` from their seeds, and fill in their observations and masks."""
        game, narrow, legal = self.game, np.empty_like(self._narrow[rows]), np.empty_like(self._legal[rows])
        game.drivers.deal_rows(self.states, rows, self._seeds[rows])
        self._seeds[rows] += self.n
        game.drivers.observe_rows(self.states, rows, self.seats[rows], narrow, legal)
        self._legal[rows] = self.action_masks[rows] = legal
        compact = self.observations is self._narrow
        self.observations[rows] = narrow if compact else game.view.to_float(narrow)

    def _forfeit(self, reward: float) -> None:
        """Step all tables but those with an illegal action: these end, and are dealt anew."""
        every, inside = np.arange(self.n), (self._chosen >= 0) & (self._chosen < self.game.actions.size)
        rows = every[~inside | (self._legal[every, np.where(inside, self._chosen, 0)] == 0)]
        seats, seeds = self.seats[rows], self._seeds[rows]
        self._chosen[rows] = self._legal[rows].argmax(axis=1)  # played, and then forgotten with the table
        self._slices.run(self._play)
        self._seeds[rows] = seeds
        self._deal(rows)
        self.rewards[rows] = 0.0
        self.rewards[rows, seats] = reward
        self.terminations[rows], self.truncations[rows] = True, False

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.game.check_action(self.states[i : i + 1], self._legal[i], action)
        except ValueError as error:
            raise ValueError(f"table {i}: {error}") from None


def _integers(game: Game, actions: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
    """`actions` as an array; ValueError unless they are n integers in a row."""
    try:
        given = np.asarray(actions)
    except ValueError:  # rows of different lengths
        given = np.empty(0, object)
    if given.shape != (n,) or given.dtype.kind not in "iu":
        told = f"actions={given.dtype} of shape {given.shape} is not allowed; allowed: integers of shape ({n},)"
        raise ValueError(f"{game.name}: {told}")
    return given


def _check(game: Game, name: str, value: Any, right: bool, allowed: str) -> None:
    if not right:
        raise ValueError(f"{game.name}: {name}={value!r} is not allowed; allowed: {allowed}")


def _whole(value: Any) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)
