"""Engines that learn a game. Each one is a process of its own (`training/speed.py`), which waits while others run.

All but the example in JAX have the same number of tables, layers and batch size, and pass once over every decision.
`training ppo` learns in all seats, its policy from half of the decisions, and counts only decisions with a choice. The
others count all decisions. MaskablePPO learns in one seat against random agents.
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
COMMON = {"tables": 1024, "batch_size": 2048, "net_arch": [64, 64]}
STEPS = {"ppo": 64, "maskable_ppo": 16}  # actions at a table between two updates
OURS, THEIRS, IN_JAX = "training ppo", "training MaskablePPO", "training examples jax"
CODE = "from training.speed import main; main()"

Ask = Callable[[object], str]  # sends a line to a trainer and returns its answer


def threaded(name: str, threads: int) -> str:
    """Return the name of a trainer with this number of threads."""
    return f"{name}, threads={threads}"


def _all() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the library and the options of every trainer, by name."""
    trainers = {}
    for threads in (1, 2):
        for policy in ("features", "mlp"):
            own = {"policy": policy, "threads": threads, "steps": STEPS["ppo"], **COMMON}
            trainers[threaded(f"{OURS} {policy}", threads)] = ("torch", {"trainer": "ppo", **own})
        other = {"threads": threads, "steps": STEPS["maskable_ppo"], **COMMON}
        trainers[threaded(THEIRS, threads)] = ("sb3_contrib", {"trainer": "maskable_ppo", **other})
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
    ours = [threaded(f"{OURS} {policy}", 1) for policy in ("features", "mlp")]
    return {name: float(asks[name]("share")) for name in ours if name in asks}


def ratios(measured: Mapping[str, Measured]) -> list[Ratio]:
    """Return the ratios of ours to the others, with the same number of threads."""
    pairs = [
        (threaded(f"{OURS} {policy}", threads), other)
        for threads in (1, 2)
        for policy in ("features", "mlp")
        for other in (threaded(THEIRS, threads), IN_JAX)
    ]
    return [ratio(measured[ours], measured[other]) for ours, other in pairs if {ours, other} <= {*measured}]
