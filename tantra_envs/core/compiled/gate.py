"""A gate between a thread and its helpers, each in its own cell of memory, which both sides poll.

A sleeping thread takes 40 to 75 microseconds to wake up, as long as a few hundred tables. So a helper polls its cell
for a short time after each job, and sleeps only then. Everything here runs without the interpreter: the owner of the
gate opens it within compiled code and sees there that its helpers have finished. So no thread waits for the GIL.

A gate is an int64 array (helpers, WIDTH). In a helper's row STATE says what it does, POLLS how often either side looks
before it gives up, and LATE that the gate was opened while the helper slept.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt

from .atomics import exchange, poll, replace
from .jit import PURE_PYTHON, entry_point, kernel

Gate = npt.NDArray[np.int64]

STATE, POLLS, LATE = 0, 1, 2
READY, AT_WORK, ASLEEP = 0, 1, 2  # states; READY: it polls, or has finished and soon will
WIDTH = 16  # words: two cells never share a line of a cache
PATIENCE = 100e-6  # seconds of polling
SAMPLED = 2000  # polls that are timed to compute the number for a duration


def new_gate(helpers: int, polls: int = 0) -> Gate:
    """Return the gate of `helpers` sleeping threads. Each polls `polls` times before it sleeps again."""
    gate = np.zeros((helpers, WIDTH), np.int64)
    gate[:, STATE], gate[:, POLLS] = ASLEEP, polls
    return gate


def polls_within(seconds: float) -> int:
    """Return how many polls take about `seconds` on this machine; 1 if nothing is compiled."""
    if PURE_PYTHON:
        return 1
    gate, took = new_gate(1, SAMPLED), seconds
    for _ in range(4):  # the first call compiles, and others may be interrupted
        gate[0, STATE] = READY
        began = time.perf_counter()
        await_work(gate, 0, 0)
        took = min(took, time.perf_counter() - began)
    return max(1, int(SAMPLED * seconds / took))


@entry_point
def await_work(gate: Any, helper: int, finished: int) -> int:
    """Wait for work, and return 1 when there is some, or 0 when the helper is to sleep.

    finished: 1 if the helper has done its part of the last job, which is reported first.
    """
    if finished:
        exchange(gate, helper, STATE, READY)
    for _ in range(gate[helper, POLLS]):
        if poll(gate, helper, STATE) == AT_WORK:
            return 1
    return 1 if replace(gate, helper, STATE, READY, ASLEEP) == AT_WORK else 0


@kernel
def open_gate(gate: Any) -> None:
    """Let the helpers begin."""
    for helper in range(len(gate)):
        if exchange(gate, helper, STATE, AT_WORK) == ASLEEP:
            gate[helper, LATE] = 1


@kernel
def first_at_work(gate: Any) -> int:
    """Wait for the helpers to finish; return -1, or the first one that takes longer."""
    for helper in range(len(gate)):
        left = gate[helper, POLLS]
        while poll(gate, helper, STATE) == AT_WORK:
            left -= 1
            if left <= 0:
                return helper
    return -1


@entry_point
def await_helpers(gate: Any) -> int:
    """Wait for the helpers to finish; return -1, or the first one that takes longer."""
    return first_at_work(gate)
