"""Threads that play the slices of a batch side by side. The calling thread plays the first slice itself."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Sequence
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import numpy as np

Job = Callable[[int, int], object]  # works on the rows lo..hi-1, without the GIL if threads are to help
Slice = tuple[int, int]


class Slices:
    """`n` rows cut into equal slices, one for each thread.

    Threads start with the first job and wait for the next one until `close`; they start anew after that, in a
    process forked meanwhile, and in a copy. One job at a time.
    """

    def __init__(self, n: int, threads: int) -> None:
        bounds = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self._own, *self._others = [(int(lo), int(hi)) for lo, hi in pairwise(bounds)]
        self._helpers: list[_Helper] = []
        self._process = 0  # where the helpers live

    def run(self, job: Job) -> None:
        """Do the job on all slices; its error is raised here, when every slice has come to its end."""
        if not self._others:
            job(*self._own)
            return
        helpers = self._waiting()
        for helper in helpers:
            helper.jobs.put(job)
        try:
            job(*self._own)
        finally:
            errors = self._answers(helpers)
        for error in errors:
            if error is not None:
                raise error

    def close(self) -> None:
        """End the threads."""
        for helper in self._helpers:
            helper.end()
        self._helpers = []

    def _answers(self, helpers: Sequence[_Helper]) -> list[BaseException | None]:
        """What went wrong on each other slice."""
        try:
            return [helper.errors.get() for helper in helpers]
        except BaseException:  # Ctrl-C: an answer that comes later must not be taken for that of the next job
            self._helpers = []
            raise

    def _waiting(self) -> Sequence[_Helper]:
        if len(self._helpers) < len(self._others) or self._process != os.getpid():
            self._helpers = [_Helper(part) for part in self._others]
            self._process = os.getpid()
        return self._helpers

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_helpers": []}


class _Helper:
    """A thread that does each job on its slice. It ends with `end`, or when nobody can give it jobs any more."""

    def __init__(self, part: Slice) -> None:
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.errors: SimpleQueue[BaseException | None] = SimpleQueue()
        self.end = weakref.finalize(self, self.jobs.put, None)
        threading.Thread(target=_help, args=(self.jobs, self.errors, part), name="tantra_envs", daemon=True).start()


def _help(jobs: SimpleQueue[Job | None], errors: SimpleQueue[BaseException | None], part: Slice) -> None:
    while (job := jobs.get()) is not None:
        try:
            job(*part)
            errors.put(None)
        except BaseException as error:  # raised again by who waits for it
            errors.put(error)
        del job  # a job holds its batch, and an idle thread should hold nothing
