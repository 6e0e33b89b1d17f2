"""Threads that play the slices of a batch in parallel. The calling thread plays the first slice."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any

import numpy as np

Job = Callable[[int, int], object]  # works on the rows lo..hi-1


class Slices:
    """`n` rows in equal slices, one for each thread.

    Threads start with the first job and end with `close` or with this object. They start again for a job after `close`,
    in a forked process, and in a copy. One job can run at a time.
    """

    _pool: ThreadPoolExecutor | None
    _process: int  # that of the threads

    def __init__(self, n: int, threads: int) -> None:
        bounds = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self._own, *self._others = [(int(lo), int(hi)) for lo, hi in pairwise(bounds)]
        self._forget_threads()

    def __len__(self) -> int:
        return 1 + len(self._others)

    def run(self, job: Job) -> None:
        """Run the job on all slices. An error on any slice is raised here, after all slices have ended."""
        helpers = [self._threads().submit(job, *part) for part in self._others]
        try:
            job(*self._own)
        finally:
            wait(helpers)
        for helper in helpers:
            helper.result()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._forget_threads()

    def _threads(self) -> ThreadPoolExecutor:
        """Return the threads of this process: a fork has none of its parent's."""
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(len(self._others), "tantra_envs")
            self._process = os.getpid()
        return self._pool

    def _forget_threads(self) -> None:
        self._pool, self._process = None, 0

    def __getstate__(self) -> dict[str, Any]:
        return {"_own": self._own, "_others": self._others}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._forget_threads()
