"""Time engines in turns: in every round each engine runs one slice, so that a slow minute affects all of them."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

ROUNDS = 45  # many short slices, because other programs on the machine come and go
FIRST_SLICE = 0.02  # seconds: long enough to estimate the moves of a slice

Steps = Iterator[int]  # plays for ever, and yields the number of moves of each step
Run = Callable[[int], int]  # plays at least this many moves, and returns the number that it played


@dataclass(frozen=True)
class Measured:
    """The moves per second of an engine, one number for each round."""

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
) -> dict[str, Run]:
    """Return the installed engines by name, or only those whose names contain one of the words.

    The first step is made here: it imports the library of an engine. `tell` prints what is left out.
    """
    found: dict[str, Run] = {}
    for name, build in builders.items():
        if only and not any(word in name for word in only):
            continue
        try:
            next(steps := build())
        except ImportError as missing:
            tell(f"{name} is left out ({missing}); for all peers: pip install -e '.[peers]' -c constraints.txt")
        else:
            found[name] = run_of(steps)
    return found


def run_of(steps: Steps) -> Run:
    """Return a run that makes steps until it has the moves."""

    def run(moves: int) -> int:
        played = 0
        while played < moves:
            played += next(steps)
        return played

    return run


def measure(engines: Mapping[str, Run], seconds: float, tick: Callable[[], None]) -> dict[str, Measured]:
    """Run every engine for about `seconds` in all, and call `tick` after each slice of a round."""
    sizes = {name: _moves_in(run, seconds / ROUNDS) for name, run in engines.items()}
    rates: dict[str, list[float]] = {name: [] for name in sizes}
    for turn in range(ROUNDS):
        for name in sizes if turn % 2 else reversed(sizes):
            rates[name].append(_rate(engines[name], sizes[name])[0])
            tick()
    return {name: Measured(own) for name, own in rates.items()}


def _moves_in(run: Run, seconds: float) -> int:
    """Return the number of moves that fill `seconds`, after a warm-up, in which code is compiled and caches fill."""
    run(1)
    moves, (rate, took) = 1, _rate(run, 1)
    while took < min(FIRST_SLICE, seconds):
        moves *= 4
        rate, took = _rate(run, moves)
    moves = max(1, int(rate * seconds))
    run(moves)
    return moves


def _rate(run: Run, moves: int) -> tuple[float, float]:
    """Return the moves per second, and the seconds that they took."""
    began = time.perf_counter()
    played = run(moves)
    took = time.perf_counter() - began
    return played / took, took
