"""Threads that work on slices of rows in parallel. The calling thread works on the first slice."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any

Job = Callable[[int, int], object]  # works on the rows lo..hi-1


class Slices:
    """Equal slices of rows, one for each thread.

    Threads start with the first job and end with `close` or with this object. They start again for a job after `close`,
    in a forked process, and in a copy. One job can run at a time.
    """

    _pool: ThreadPoolExecutor | None
    _process: int  # that of the threads

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._forget_threads()

    def run(self, job: Job, n: int) -> None:
        """Run the job on all slices of `n` rows. An error on any slice is raised here, after all slices have ended."""
        count = max(1, min(self.threads, n))
        own, *others = pairwise(part * n // count for part in range(count + 1))
        helpers = [self._pool_here().submit(job, *part) for part in others]
        try:
            job(*own)
        finally:
            wait(helpers)
        for helper in helpers:
            helper.result()

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None and self._process == os.getpid():
            self._pool.shutdown()
        self._forget_threads()

    def _pool_here(self) -> ThreadPoolExecutor:
        """Return the threads of this process: a fork has none of its parent's."""
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(self.threads - 1, "tantra_envs")
            self._process = os.getpid()
        return self._pool

    def _forget_threads(self) -> None:
        self._pool, self._process = None, 0

    def __getstate__(self) -> dict[str, Any]:
        return {"threads": self.threads}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._forget_threads()
