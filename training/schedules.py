"""Schedules over a run."""

from __future__ import annotations


def linear_schedule(initial: float, progress: float) -> float:
    """Return a learning rate that falls linearly from `initial` to a tenth of it as `progress` goes from 0 to 1."""
    return initial * (1 - 0.9 * min(progress, 1.0))


def due(every: int, before: int, now: int) -> bool:
    """Return whether a multiple of `every` is after `before`, up to and including `now`."""
    return now // every > before // every
