"""Engines that learn a game. Each one is a process of its own (`training/speed.py`), which waits while others run.

All but the example in JAX have the same number of tables, layers and batch size, and pass once over every decision.
Decisions with a choice are counted; in JAX also those without. `training ppo` learns in all seats, and its policy from
half of the decisions. MaskablePPO learns in one seat against random agents. It has one thread of torch, because two
threads wait for each other on cores that are not free.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .startup import ROOT
from .timing import Engine, Measured, Ratio, Run, is_wanted, ratio

PAIRS = 5  # rounds
SECONDS = 10.0  # for each trainer
POLICIES, THREADS = ("features", "mlp"), (1, 2)
COMMON = {"tables": 1024, "batch_size": 2048, "net_arch": [64, 64]}
STEPS = {"ppo": 64, "maskable_ppo": 16}  # actions at a table between two updates
OURS, THEIRS, IN_JAX = "training ppo", "training MaskablePPO", "training examples jax"
CODE = "from training.speed import main; main()"

Ask = Callable[[object], str]  # sends a line to a trainer and returns its answer


def _all() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the library and the options of every trainer, by name."""
    trainers = {
        f"{OURS} {policy}, threads={threads}": (
            "torch",
            {"trainer": "ppo", "policy": policy, "threads": threads, "steps": STEPS["ppo"], **COMMON},
        )
        for policy in POLICIES
        for threads in THREADS
    }
    trainers[THEIRS] = ("sb3_contrib", {"trainer": "maskable_ppo", "steps": STEPS["maskable_ppo"], **COMMON})
    return {**trainers, IN_JAX: ("optax", {"trainer": "jax"})}


def names(only: Sequence[str]) -> list[str]:
    """Return the names of the installed trainers that contain one of the words. Without words there are none."""
    libraries = {name: library for name, (library, _) in _all().items() if only and is_wanted(name, only)}
    return [name for name, library in libraries.items() if importlib.util.find_spec(library)]


@contextlib.contextmanager
def started(game: str, players: int | None, only: Sequence[str]) -> Iterator[dict[str, Ask]]:
    """Start the processes of the trainers, and end them afterwards."""
    with contextlib.ExitStack() as processes:
        yield {name: processes.enter_context(_process(name, game, players)) for name in names(only)}


@contextlib.contextmanager
def _process(name: str, game: str, players: int | None) -> Iterator[Ask]:
    options = json.dumps({"game": game, "players": players, **_all()[name][1]})
    command = [sys.executable, "-c", CODE, options]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True, **pipes) as process:  # Ctrl-C is for the parent
        lines: Any = process.stdin
        answers: Any = process.stdout

        def ask(line: object) -> str:
            with contextlib.suppress(BrokenPipeError):
                lines.write(f"{line}\n")
            answer: str = answers.readline()
            if not answer:
                raise RuntimeError(f"{name} ended with an error")
            return answer

        try:
            yield ask
        finally:
            process.kill()


def engines(asks: Mapping[str, Ask]) -> list[Engine]:
    """Return the engines of the started trainers."""
    return [Engine(name, _run(ask)) for name, ask in asks.items()]


def _run(ask: Ask) -> Run:
    return lambda decisions: int(ask(decisions))


def shares(asks: Mapping[str, Ask]) -> dict[str, float]:
    """Return the shares of time that `training ppo` spends in matrix products, on one thread."""
    return {name: float(ask("share")) for name, ask in asks.items() if OURS in name and "threads=1" in name}


def ratios(measured: Mapping[str, Measured]) -> list[Ratio]:
    """Return the ratios of ours to the others."""
    ours = [m for name, m in measured.items() if name.startswith(OURS)]
    return [ratio(fast, measured[slow]) for slow in (THEIRS, IN_JAX) if slow in measured for fast in ours]
