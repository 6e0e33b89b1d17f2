"""Time engines in turns: in every round each engine runs one slice, so that a slow minute affects all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

ROUNDS = 45  # many short slices, because other programs on the machine come and go
FIRST_SLICE = 0.02  # seconds: long enough to estimate the moves of a slice

Steps = Iterator[int]  # plays for ever, and yields the number of moves of each step
Run = Callable[[int], int]


@dataclass(frozen=True)
class Engine:
    """An engine to time: `run(moves)` plays about `moves` moves and returns the number that it played."""

    name: str
    run: Run


@dataclass(frozen=True)
class Measured:
    """The moves per second of an engine, one number for each round."""

    name: str
    rates: Sequence[float]

    @property
    def rate(self) -> float:
        """The median over the rounds."""
        return statistics.median(self.rates)

    @property
    def spread(self) -> float:
        """Half the distance from the slowest to the fastest round, as a share of the median."""
        return (max(self.rates) - min(self.rates)) / 2 / self.rate


def engines(
    builders: Mapping[str, Callable[[], Steps]], only: Sequence[str], tell: Callable[[str], None]
) -> Iterator[Engine]:
    """Yield the installed engines, or only those whose names contain one of the words. `tell` prints what is left out.

    The first step is made here: it imports the library of an engine.
    """
    for name, build in builders.items():
        if only and not any(word in name for word in only):
            continue
        try:
            next(steps := build())
        except ImportError as missing:
            tell(f"{name} is left out ({missing}); for all peers: pip install -e '.[peers]' -c constraints.txt")
        else:
            yield Engine(name, run_of(steps))


def run_of(steps: Steps) -> Run:
    """Return a run that makes steps until it has the moves."""

    def run(moves: int) -> int:
        played = 0
        while played < moves:
            played += next(steps)
        return played

    return run


def measure(engines: Iterable[Engine], seconds: float, tick: Callable[[], None]) -> dict[str, Measured]:
    """Run every engine for about `seconds` in all, and call `tick` after each slice of a round."""
    sized = [(engine, _moves_in(engine, seconds / ROUNDS)) for engine in engines]
    rates: dict[str, list[float]] = {engine.name: [] for engine, _ in sized}
    for turn in range(ROUNDS):
        for engine, moves in sized if turn % 2 else reversed(sized):
            rates[engine.name].append(_rate(engine, moves)[0])
            tick()
    return {name: Measured(name, rates[name]) for name in rates}


def _moves_in(engine: Engine, seconds: float) -> int:
    """Return the number of moves that fill `seconds`, after a warm-up.

    The first run of an engine compiles code and fills caches, so its time is not representative.
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
    """Return the moves per second, and the seconds that they took."""
    began = time.perf_counter()
    played = engine.run(moves)
    took = time.perf_counter() - began
    return played / took, took
