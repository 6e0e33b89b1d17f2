"""Threads that play the slices of a batch in parallel. The calling thread plays the first slice."""

from __future__ import annotations

import functools
import os
import threading
import time
import weakref
from collections.abc import Callable
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import numpy as np

from ..core.compiled.gate import (
    ASLEEP,
    LATE,
    PATIENCE,
    READY,
    STATE,
    Gate,
    await_helpers,
    await_work,
    new_gate,
    polls_within,
)

Job = Callable[[int, int, Gate], int]  # works on the rows lo..hi-1, see `Slices`
Slice = tuple[int, int]
NAP = 50e-6  # seconds between checks of a helper that is late
ALONE = new_gate(0)


class Slices:
    """`n` rows in equal slices, one for each thread.

    A job gets its slice and a gate. The first slice opens the gate as soon as the other slices can start. They do
    nothing before, and nothing at all if the gate stays closed. Compiled jobs open it with `gate.open_gate`, without
    the GIL. The jobs of the other slices get a gate without threads.

    Threads start with the first job. After a job they poll briefly for the next one, then sleep, until `close`. They
    start again for a job after `close`, in a forked process, and in a copy. One job can run at a time.
    """

    def __init__(self, n: int, threads: int) -> None:
        bounds = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self._own, *self._others = [(int(lo), int(hi)) for lo, hi in pairwise(bounds)]
        self._forget_helpers()

    def run(self, job: Job) -> int:
        """Run the job on all slices and return its result for the first slice.

        An error on any slice is raised here, after all slices have ended.
        """
        if not self._others:
            return job(*self._own, ALONE)
        self._wake()
        self._work.job = job
        try:
            answer = job(*self._own, self._gate)
        finally:
            errors = self._finish()
        if errors:
            raise errors[0]
        return answer

    def close(self) -> None:
        """End the threads."""
        for helper in self._helpers:
            helper.end()
        self._forget_helpers()

    def _forget_helpers(self) -> None:
        self._helpers: list[_Helper] = []
        self._process = 0  # the process of the threads
        self._gate, self._work = ALONE, _Work()

    def _wake(self) -> None:
        """Start the helpers, or wake up the sleeping ones."""
        if not self._helpers or self._process != os.getpid():
            self._gate, self._work = new_gate(len(self._others), _polls(len(self._others) + 1)), _Work()
            self._helpers = [_Helper(self._gate, k, self._work, part) for k, part in enumerate(self._others)]
            self._process = os.getpid()
        for k, helper in enumerate(self._helpers):
            if self._gate[k, STATE] == ASLEEP:
                self._gate[k, STATE] = READY
                helper.calls.put(True)

    def _finish(self) -> list[BaseException]:
        """Wait for the helpers; return the errors of their slices."""
        try:
            while (k := await_helpers(self._gate)) >= 0:
                if self._gate[k, LATE]:
                    self._gate[k, LATE] = 0
                    self._helpers[k].calls.put(True)
                time.sleep(NAP)
        except BaseException:  # Ctrl-C: a helper that still works must not count as one of the next job
            self._forget_helpers()
            raise
        errors, self._work.errors, self._work.job = self._work.errors, [], None
        return errors

    def __getstate__(self) -> dict[str, Any]:
        return {"_own": self._own, "_others": self._others}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self._forget_helpers()


class _Work:
    """The current job of the helpers and their errors. Between two jobs it is empty, to keep no batch alive."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.errors: list[BaseException] = []


class _Helper:
    """A thread that runs each job on its slice. It ends with `end`, or when its `_Helper` object is deleted."""

    def __init__(self, gate: Gate, k: int, work: _Work, part: Slice) -> None:
        self.calls: SimpleQueue[bool] = SimpleQueue()  # True wakes it up, False ends it
        self.end = weakref.finalize(self, self.calls.put, False)
        threading.Thread(target=_help, args=(self.calls, gate, k, work, part), name="tantra_envs", daemon=True).start()


def _help(calls: SimpleQueue[bool], gate: Gate, k: int, work: _Work, part: Slice) -> None:
    while calls.get():
        finished = 0
        while await_work(gate, k, finished):
            _do(work, part)
            finished = 1


def _do(work: _Work, part: Slice) -> None:
    try:
        if work.job is not None:
            work.job(*part, ALONE)
    except BaseException as error:  # the waiting thread raises it again
        work.errors.append(error)


@functools.cache
def _polls(threads: int) -> int:
    """Return how often a thread polls before it sleeps: less often if there are more threads than processors."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return polls_within(PATIENCE if threads <= processors else PATIENCE / 10)
