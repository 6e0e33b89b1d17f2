"""Train as much as standard input asks for: `benchmarks speed --only training` and `benchmarks study --retrain` ask.

The argument is a JSON object with the trainer and its options. A line of the input is a number of decisions, or the
word "share". The answers are the number of decisions that were learned from, and the share of time in matrix products.
An answer comes when nothing runs any more, so that programs can take turns.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

from tantra_envs import adapters
from tantra_envs.programs import cli
from training.ppo import PPO, Args
from training.q_learning import QLearning

PRODUCTS = ("aten::mm", "aten::addmm", "aten::bmm")  # matrix products forward and backward
ENDLESS = 1 << 40  # decisions
PROFILED = 3  # updates


def ppo(game: str, players: int | None, **options: Any) -> Iterator[int]:
    """Yield the decisions of every update of `training ppo`."""
    endless: Any = {"total_decisions": ENDLESS, "eval_every": ENDLESS, "eval_opponents": ("uniform",)}
    options = {**options, "net_arch": tuple(options["net_arch"])}
    yield from _updates(PPO(Args(game=game, players=players, **endless, **options)))


def command(program: str, words: list[str]) -> Iterator[int]:
    """Yield the decisions of every update of a command line of `training ppo` or `training q-learning`."""
    learner: Any = PPO if program == "ppo" else QLearning
    yield from _updates(learner(cli.read(learner.OPTIONS, learner.PROGRAM, words)))


def _updates(run: PPO | QLearning) -> Iterator[int]:
    while True:
        before = run.decisions
        run.update()
        if isinstance(run, PPO) and run.ahead:
            run.ahead.result()
        yield run.decisions - before


def maskable_ppo(
    game: str, players: int | None, tables: int, steps: int, batch_size: int, net_arch: list[int]
) -> Iterator[int]:
    """Yield the decisions with a choice of every update of MaskablePPO: one pass, against random agents."""
    from sb3_contrib import MaskablePPO

    torch.set_num_threads(1)
    envs = adapters.sb3(cli.game(game, players), num_envs=tables, opponents="uniform")
    network: dict[str, Any] = {"net_arch": net_arch, "activation_fn": torch.nn.ReLU}
    size: dict[str, Any] = {"n_steps": steps, "batch_size": batch_size, "n_epochs": 1}
    model: Any = MaskablePPO("MlpPolicy", envs, policy_kwargs=network, device="cpu", **size)
    while True:
        model.learn(1, reset_num_timesteps=False)
        yield int((model.rollout_buffer.action_masks.sum(axis=-1) > 1).sum())


def jax(game: str, players: int | None) -> Iterator[int]:
    """Yield the decisions of every update of `training examples jax`."""
    from jax import block_until_ready

    from training.examples.jax import LENGTH, TABLES, weights_of_updates

    updates = weights_of_updates(cli.game(game, players))
    next(updates)  # the first weights, before any update
    for weights in updates:
        block_until_ready(weights)
        yield TABLES * LENGTH


TRAINERS: dict[str, Callable[..., Iterator[int]]] = {
    "ppo": ppo,
    "command": command,
    "maskable_ppo": maskable_ppo,
    "jax": jax,
}


def matrix_share(updates: Iterator[int]) -> float:
    """Return the share of time that this thread spends in matrix products of torch."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU]) as profiler:
        began = time.perf_counter()
        for _ in itertools.islice(updates, PROFILED):
            pass
        took = time.perf_counter() - began
    products = [event for event in profiler.key_averages() if event.key in PRODUCTS]
    return float(sum(event.self_cpu_time_total for event in products)) / 1e6 / took


def main() -> None:
    """Answer every line of standard input. Lines that libraries print go to standard error, so they answer nothing."""
    options, answers = json.loads(sys.argv[1]), sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        updates = TRAINERS[options.pop("trainer")](**options)
        for line in sys.stdin:
            if line.strip() == "share":
                print(matrix_share(updates), file=answers, flush=True)
                continue
            decisions = 0
            while decisions < int(line):
                decisions += next(updates)
            print(decisions, file=answers, flush=True)
