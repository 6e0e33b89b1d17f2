"""Time engines side by side: in every round each engine runs one slice, so that a slow minute slows all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

ROUNDS = 45  # short slices and many: other tenants of a machine come and go
FIRST_SLICE = 0.02  # seconds: long enough to tell how many moves fit into a slice
STRAY = 0.3  # a slice this far from its engine's median, as a share of it, is timed again
REPEATS = 3  # times that stray slices are repeated at most


Run = Callable[[int], int]


@dataclass(frozen=True)
class Engine:
    """Something that plays: `run(moves)` plays about that many moves and returns how many it played."""

    name: str
    run: Run


@dataclass(frozen=True)
class Measured:
    """Moves a second, one number for each round."""

    name: str
    rates: Sequence[float]
    repeated: int = 0  # slices that were timed again

    @property
    def rate(self) -> float:
        """The median round."""
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """Half the distance from the slowest to the fastest round, as a share of the median."""
        return (max(self.rates) - min(self.rates)) / 2 / self.rate

    @property
    def strays(self) -> list[int]:
        """The rounds whose rate is more than STRAY away from the median."""
        return [turn for turn, rate in enumerate(self.rates) if abs(rate - self.rate) > STRAY * self.rate]


@dataclass(frozen=True)
class Ratio:
    """How much faster one engine is than another: the median of the rounds' ratios, and their range."""

    name: str
    median: float
    low: float
    high: float


def measure(engines: Iterable[Engine], seconds: float, tick: Callable[[], None]) -> dict[str, Measured]:
    """Run every engine for about `seconds` in all; `tick` is called after each slice of a round.

    Slices that stray from their engine's median are timed again after the rounds, in the same order. A rate that stays
    away from the median after REPEATS repetitions is kept: then the engine or the machine is like that.
    """
    sized = [(engine, _moves_in(engine, seconds / ROUNDS)) for engine in engines]
    rates: dict[str, list[float]] = {engine.name: [] for engine, _ in sized}
    for turn in range(ROUNDS):
        for engine, moves in sized if turn % 2 else reversed(sized):
            rates[engine.name].append(_rate(engine, moves)[0])
            tick()
    repeated = dict.fromkeys(rates, 0)
    for _ in range(REPEATS):
        for engine, moves in sized:
            for turn in Measured(engine.name, rates[engine.name]).strays:
                rates[engine.name][turn] = _rate(engine, moves)[0]
                repeated[engine.name] += 1
    return {name: Measured(name, rates[name], repeated[name]) for name in rates}


def is_wanted(name: str, only: Sequence[str]) -> bool:
    """Return whether a name contains one of the words; without words all names are wanted."""
    return not only or any(word in name for word in only)


def ratio(fast: Measured, slow: Measured, name: str = "") -> Ratio:
    """Return `fast` over `slow`, paired by round."""
    paired = [a / b for a, b in zip(fast.rates, slow.rates, strict=True)]
    return Ratio(name or f"{fast.name} / {slow.name}", statistics.median(paired), min(paired), max(paired))


def _moves_in(engine: Engine, seconds: float) -> int:
    """Return how many moves fill `seconds`, after the engine has been warmed up.

    The first run of an engine compiles and fills caches, so its time says nothing about the next ones.
    """
    moves = 1
    engine.run(moves)
    while True:
        rate, took = _rate(engine, moves)
        if took >= min(FIRST_SLICE, seconds):
            break
        moves *= 4
    moves = max(1, int(rate * seconds))
    engine.run(moves)
    return moves


def _rate(engine: Engine, moves: int) -> tuple[float, float]:
    """Return moves a second, and the seconds that they took."""
    began = time.perf_counter()
    played = engine.run(moves)
    took = time.perf_counter() - began
    return played / took, took
