"""Time engines in turns, and the CPU time of new processes.

In every round each engine runs one slice, so that a slow minute affects all of them. Of a process, the time is measured
to the first step, and until the machine code of a single table is there.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..harness.trainer import ROOT

ROUNDS = 45  # many short slices, because other programs on the machine come and go
FIRST_SLICE = 0.02  # seconds: long enough to estimate the moves of a slice
WARM_RUNS = 5
# Prints the CPU seconds to the first step, and waits for the process that compiles, if there is one.
FIRST_STEP = """
import time
import tantra_envs
env = tantra_envs.make({game!r}, **{options})
env.reset(seed=0)
observation, *_ = env.last()
env.step(int(observation["action_mask"].argmax()))
print(time.process_time(), flush=True)
from tantra_envs.core.compiled.starting import wait_for_compilers
wait_for_compilers()
"""
IMPORT = "import time, tantra_envs; print(time.process_time())"
END = "import os; os._exit(0)"  # skip the rest of the exit: unloading a compiler takes 0.25 s

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


def startup(game: str, players: int | None) -> dict[str, float]:
    """Return CPU seconds by what a process did: an import, and the first step with and without compiled code.

    "everything compiled" is the whole first process together with the one that compiles beside it.
    """
    first_step = FIRST_STEP.format(game=game, options={} if players is None else {"players": players})
    with tempfile.TemporaryDirectory() as cache:
        first, whole = _process(first_step, cache)
        warm = [_process(first_step, cache)[0] for _ in range(WARM_RUNS)]
        imports = [_process(IMPORT, cache)[0] for _ in range(WARM_RUNS)]
    medians = {"import": statistics.median(imports), "later first step": statistics.median(warm)}
    return {**medians, "very first step": first, "everything compiled": whole}


def processor() -> str:
    """Return the name of the processor."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _process(code: str, cache: str) -> tuple[float, float]:
    """Run a program; return the CPU seconds that it prints, and those of it and of all that it waited for."""
    environment, before = {**os.environ, "NUMBA_CACHE_DIR": cache}, os.times()
    command = [sys.executable, "-c", f"{code}\n{END}"]
    done = subprocess.run(command, env=environment, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return float(done.stdout), spent
