"""Engines that learn a game. Each one is a process of its own (`training/speed.py`), which waits while others run.

All but the example in JAX have the same number of tables, layers and batch size, and pass once over every decision.
Decisions with a choice are counted; in JAX also those without. `training ppo` learns in all seats, and its policy from
half of the decisions. MaskablePPO learns in one seat against random agents. It has one thread of torch, because two
threads wait for each other on cores that are not free.
"""

from __future__ import annotations

import contextlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..harness import trainer
from ..harness.trainer import Ask
from .timing import Engine, Measured, Ratio, Run, is_wanted, ratio

PAIRS = 5  # rounds
SECONDS = 10.0  # for each trainer
POLICIES, THREADS = ("features", "mlp"), (1, 2)
COMMON = {"tables": 1024, "batch_size": 2048, "net_arch": [64, 64]}
STEPS = {"ppo": 64, "maskable_ppo": 16}  # actions at a table between two updates
OURS, THEIRS, IN_JAX = "training ppo", "training MaskablePPO", "training examples jax"


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
        of_game = {"game": game, "players": players}
        options = {name: {**of_game, **_all()[name][1]} for name in names(only)}
        yield {name: processes.enter_context(trainer.started(name, own)) for name, own in options.items()}


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
