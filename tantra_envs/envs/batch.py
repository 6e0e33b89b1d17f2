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

Shown = tuple[npt.NDArray[np.float32], npt.NDArray[np.int8], npt.NDArray[np.float64], npt.NDArray[np.int8]]


class BatchEnv:
    """`n` tables of one game. Finished tables are dealt anew within the step that ends them.

    The arrays are allocated once and filled in place at every step; copy what must outlive it.

    seats:   (n,) int64 who decides
    views:   (n, view.size) float32 what that seat sees
    masks:   (n, actions.size) int8 what it may do
    rewards: (n, players) float64 paid by the last step, by seat
    overs:   (n,) int8 0 = goes on, 1 = ended by the rules, 2 = cut off; then views show the next deal

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
        self.views = np.zeros((self.n, game.view.size), np.float32)
        self.masks = np.zeros((self.n, game.actions.size), np.int8)
        self.rewards = np.zeros((self.n, game.players))
        self.overs = np.zeros(self.n, np.int8)
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

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int8]]:
        """Deal all tables, from `seed` or once more from the last one: views and masks."""
        self._seed = self._seed if seed is None else seed
        first = as_seed(self._seed)
        every = np.arange(self.n)
        self._seeds = first + every
        self.game.drivers.deal_rows(self.states, every, self._seeds)
        self._seeds += self.n
        self.game.drivers.see_rows(self.states, every, self.seats, self.views, self.masks)
        seed_streams(self._streams, first)
        self.rewards[:] = 0.0
        self.overs[:] = 0
        return self.views, self.masks

    def step(self, actions: npt.NDArray[np.int64]) -> Shown:
        """Play `actions` (n,), one for the seat to decide at each table: views, masks, rewards, overs.

        ValueError naming the table, its seat and the legal actions, with nothing changed, if one is illegal.
        """
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.n,):
            raise ValueError(f"{self.game.name}: actions of shape {chosen.shape} are not allowed; allowed: ({self.n},)")
        illegal = self.game.drivers.first_illegal(self.masks, chosen)
        if illegal >= 0:
            self._refuse(illegal, int(chosen[illegal]))
        self._run(self.game.drivers.step_batch, self.states, chosen, self._seeds, *self._filled())
        return self._filled()

    def sample(self) -> npt.NDArray[np.int64]:
        """A uniform legal action for every table, shape (n,), from the batch's own random streams."""
        self._run(self.game.drivers.sample_legal, self.masks, self._streams, self._sampled)
        return self._sampled

    def _filled(self) -> Shown:
        return self.views, self.masks, self.rewards, self.overs

    def _run(self, driver: Kernel, *arrays: npt.NDArray[Any]) -> None:
        """Call a driver on all tables, each thread on its slice; errors surface here."""
        if self._pool is None:
            driver(*arrays, 0, self.n)
            return
        for done in [self._pool.submit(driver, *arrays, lo, hi) for lo, hi in self._slices]:
            done.result()

    def _refuse(self, i: int, action: int) -> None:
        try:
            self.game.check_action(self.states[i : i + 1], self.masks[i], action)
        except ValueError as error:
            raise ValueError(f"table {i}: {error}") from None
