"""Many tables at once, arrays in and arrays out: the fast path for any learner."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.compiled.drivers import seed_streams
from ..core.compiled.jit import Kernel
from ..core.game import Game, as_seed

Views = npt.NDArray[np.float32]
Masks = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
Step = tuple[Views, Masks, npt.NDArray[np.float64], Flags, Flags]


class BatchEnv:
    """`n` tables of one game. Finished tables are dealt anew within the step that ends them.

    The arrays are allocated once and filled in place at every step; copy what must outlive it.

    seats:         (n,) int64 who decides
    observations:  (n, view.size) float32 what that seat sees
    action_masks:  (n, actions.size) int8 what it may do
    rewards:       (n, players) float64 paid by the last step, by seat
    terminations:  (n,) bool the last step ended the game by the rules; observations show the next deal then
    truncations:   (n,) bool it was cut off; likewise

    Table i plays the deals seed + i, seed + n + i, seed + 2n + i, ..: the same games whatever else runs.
    Threads pay from some thousands of tables; results do not depend on their number.
    """

    def __init__(self, game: Game, n: int, seed: int = 0, threads: int = 1) -> None:
        for name, value in (("n", n), ("threads", threads)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise ValueError(f"{game.name}: {name}={value!r} is not allowed; allowed: 1, 2, 3, ..")
        self.game = game
        self.n = int(n)
        self.states = game.blanks(self.n)
        self.observations = np.zeros((self.n, game.view.size), np.float32)
        self.action_masks = np.zeros((self.n, game.actions.size), np.int8)
        self.rewards = np.zeros((self.n, game.players))
        self.terminations = np.zeros(self.n, bool)
        self.truncations = np.zeros(self.n, bool)
        self._seed = seed
        self._streams = np.zeros((self.n, 4), np.int64)
        self._sampled = np.zeros(self.n, np.int64)
        bounds = np.linspace(0, self.n, min(int(threads), self.n) + 1).astype(int)
        self._slices = [(int(lo), int(hi)) for lo, hi in pairwise(bounds)]
        self._pool = ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None
        self.reset()

    @property
    def seats(self) -> npt.NDArray[np.int64]:
        """The seat to decide at each table, shape (n,)."""
        return self.states["seat"].astype(np.int64)

    def reset(self, seed: int | None = None) -> tuple[Views, Masks]:
        """Deal all tables, from `seed` or once more from the last one: observations and action masks."""
        first = as_seed(self._seed if seed is None else seed)
        self._seed = first
        every = np.arange(self.n)
        self._seeds = first + every
        self.game.drivers.deal_rows(self.states, every, self._seeds)
        self._seeds += self.n
        self.game.drivers.observe_rows(self.states, every, self.seats, self.observations, self.action_masks)
        seed_streams(self._streams, first)
        self.rewards[:] = 0.0
        self.terminations[:] = self.truncations[:] = False
        return self.observations, self.action_masks

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Play `actions` (n,), one for the seat to decide at each table.

        Returns observations, action_masks, rewards, terminations, truncations.

        ValueError naming the table, its seat and the legal actions, with nothing changed, if one is illegal.
        """
        given = np.asarray(actions)
        fits = given.shape == (self.n,) and given.dtype.kind in "iu"
        self.game.check("actions", actions, fits, f"integers of shape ({self.n},)")
        chosen = np.array(given, np.int64)
        illegal = self.game.drivers.first_illegal(self.action_masks, chosen)
        if illegal >= 0:
            self._refuse(illegal, int(chosen[illegal]))
        self._run(self.game.drivers.step_batch, self.states, chosen, self._seeds, *self._filled())
        return self._filled()

    def sample(self) -> npt.NDArray[np.int64]:
        """A uniform legal action for every table, shape (n,), from the batch's own random streams."""
        self._run(self.game.drivers.sample_legal, self.action_masks, self._streams, self._sampled)
        return self._sampled

    def _filled(self) -> Step:
        return self.observations, self.action_masks, self.rewards, self.terminations, self.truncations

    def _run(self, driver: Kernel, *arrays: npt.NDArray[Any]) -> None:
        """Call a driver on all tables, each thread on its slice; errors surface here."""
        if self._pool is None:
            driver(*arrays, 0, self.n)
            return
        for done in [self._pool.submit(driver, *arrays, lo, hi) for lo, hi in self._slices]:
            done.result()

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.game.check_action(self.states[i : i + 1], self.action_masks[i], action)
        except ValueError as error:
            raise ValueError(f"table {i}: {error}") from None
