"""Threads that play the slices of a batch side by side. The calling thread plays the first slice itself."""

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
NAP = 50e-6  # seconds between looks at a helper that takes longer
ALONE = new_gate(0)


class Slices:
    """`n` rows cut into equal slices, one for each thread.

    A job gets its slice and a gate. It opens the gate as soon as the others may begin: they do nothing before that, and
    nothing at all if it stays closed. Compiled jobs do so by `gate.open_gate`, without the GIL; the others get a gate
    that nobody stands at.

    Threads start with the first job and poll for the next one for a moment, then sleep, until `close`. They start anew
    after that, in a process forked meanwhile, and in a copy. One job at a time.
    """

    def __init__(self, n: int, threads: int) -> None:
        bounds = np.linspace(0, n, min(threads, n) + 1).astype(int)
        self._own, *self._others = [(int(lo), int(hi)) for lo, hi in pairwise(bounds)]
        self._forget_helpers()

    def run(self, job: Job) -> int:
        """Do the job on all slices and return what it returned on the first one.

        Its error is raised here, when every slice has come to its end.
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
        self._process = 0  # where they live
        self._gate, self._work = ALONE, _Work()

    def _wake(self) -> None:
        """Start the helpers, or wake up those that sleep."""
        if not self._helpers or self._process != os.getpid():
            self._gate, self._work = new_gate(len(self._others), _polls(len(self._others) + 1)), _Work()
            self._helpers = [_Helper(self._gate, k, self._work, part) for k, part in enumerate(self._others)]
            self._process = os.getpid()
        for k, helper in enumerate(self._helpers):
            if self._gate[k, STATE] == ASLEEP:
                self._gate[k, STATE] = READY
                helper.calls.put(True)

    def _finish(self) -> list[BaseException]:
        """Wait for the helpers; return what went wrong on their slices."""
        try:
            while (k := await_helpers(self._gate)) >= 0:
                if self._gate[k, LATE]:
                    self._gate[k, LATE] = 0
                    self._helpers[k].calls.put(True)
                time.sleep(NAP)
        except BaseException:  # Ctrl-C: whoever is still at work must not be taken for one that does the next job
            self._forget_helpers()
            raise
        errors, self._work.errors, self._work.job = self._work.errors, [], None
        return errors

    def __getstate__(self) -> dict[str, Any]:
        return {"_own": self._own, "_others": self._others}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._forget_helpers()


class _Work:
    """What the helpers are to do. Between two jobs it holds nothing, for a job holds its batch."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.errors: list[BaseException] = []


class _Helper:
    """A thread that does each job on its slice. It ends with `end`, or when nobody can give it jobs any more."""

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
    except BaseException as error:  # raised again by the thread that waits for it
        work.errors.append(error)


@functools.cache
def _polls(threads: int) -> int:
    """Return how often threads look before they sleep: hardly where they would keep each other from working."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return polls_within(PATIENCE if threads <= processors else PATIENCE / 10)
