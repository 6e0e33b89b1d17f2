"""Measuring engines side by side: in every round each runs a slice in turn, so that a slow minute hits all alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

ROUNDS = 45  # short slices and many: other tenants of a machine come and go
FIRST_SLICE = 0.02  # seconds: long enough to tell how many moves fit into a slice


@dataclass(frozen=True)
class Engine:
    """Something that plays: `run(moves)` plays about that many and returns how many it played."""

    name: str
    run: Callable[[int], int]


@dataclass(frozen=True)
class Measured:
    """Moves a second, one number for each round."""

    name: str
    rates: Sequence[float]

    @property
    def rate(self) -> float:
        """The median round."""
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """Half the distance from the slowest to the fastest round, as a share of the median."""
        return (max(self.rates) - min(self.rates)) / 2 / self.rate


@dataclass(frozen=True)
class Ratio:
    """How much faster one engine is than another: the rounds' ratios, not the ratio of two summaries."""

    name: str
    median: float
    low: float
    high: float


def measure(engines: Iterable[Engine], seconds: float, tick: Callable[[], None]) -> dict[str, Measured]:
    """Run every engine for about `seconds` in all; `tick` is called after each slice."""
    sized = [(engine, _moves_in(engine, seconds / ROUNDS)) for engine in engines]
    rates: dict[str, list[float]] = {engine.name: [] for engine, _ in sized}
    for turn in range(ROUNDS):
        for engine, moves in sized if turn % 2 else reversed(sized):
            rates[engine.name].append(_rate(engine, moves)[0])
            tick()
    return {name: Measured(name, found) for name, found in rates.items()}


def ratio(fast: Measured, slow: Measured) -> Ratio:
    """`fast` over `slow`, paired by round."""
    paired = [a / b for a, b in zip(fast.rates, slow.rates, strict=True)]
    return Ratio(f"{fast.name} / {slow.name}", statistics.median(paired), min(paired), max(paired))


def _moves_in(engine: Engine, seconds: float) -> int:
    """How many moves fill `seconds`; the search for it warms the engine up."""
    moves = 1
    while True:
        rate, took = _rate(engine, moves)
        if took >= min(FIRST_SLICE, seconds):
            return max(1, int(rate * seconds))
        moves *= 4


def _rate(engine: Engine, moves: int) -> tuple[float, float]:
    """Moves a second, and seconds."""
    began = time.perf_counter()
    played = engine.run(moves)
    took = time.perf_counter() - began
    return played / took, took
