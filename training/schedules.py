"""What changes over a run, and when."""

from __future__ import annotations


def linear_schedule(initial: float, progress: float) -> float:
    """A learning rate that falls in a straight line to a tenth of `initial` as `progress` goes from 0 to 1."""
    return initial * (1 - 0.9 * min(progress, 1.0))


def due(every: int, before: int, now: int) -> bool:
    """Has a multiple of `every` been passed?"""
    return now // every > before // every
