"""Short programs, one for each framework, that learn a game and then measure the learned agent.

    python -m training examples sb3                                          Karma, about a minute on two cores
    python -m training examples sb3 tantra --steps 5000 --deals 20           another game, a few steps

Each program is one short file.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

from agents import Agent
from tantra_envs.core.options import Within
from tantra_envs.programs import cli
from training.evaluate import evaluate, show
from training.options import load_agent

Learn = Callable[..., Agent]  # of the game and the decisions to learn from, with a `seed`
EXAMPLES = {
    "sb3": ("training.examples.sb3", "MaskablePPO of sb3-contrib."),
    "torchrl": ("training.examples.torchrl", "PPO of TorchRL."),
    "jax": ("training.examples.jax", "Policy gradients of all seats, inside jax.jit."),
    "baselines": ("training.examples.baselines", "Known algorithms at the equal budget of the benchmark."),
}
EXTRAS = ("sb3", "jax")  # examples that have the name of their extra
PACKAGES = {"torchrl": "torchrl tensordict torch rich"}  # of those without an extra


@dataclass(frozen=True, kw_only=True)
class Args(cli.GameOptions):
    """Learn a game, and measure the result.

    Example: python -m training examples sb3 karma --steps 40000
    """

    steps: cli.Natural = 0
    """Decisions to learn from; 0 = the number that suits Karma."""
    seed: Annotated[int, Within(0, (1 << 31) - 1)] = 1
    """Seed of the network and of the deals to learn from."""
    deals: Annotated[int, Within(2)] = 500
    """Deals of the measurement, each played once for every seat."""
    opponents: tuple[str, ...] = ("scripted",)
    """Agents to measure against."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the example that the first word names."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and words[0] in EXAMPLES:
        with cli.user_errors(words[0] if words[0] in EXTRAS else "train"):
            _import(words[0])
    return cli.run_program("training examples", EXAMPLES, argv)


def _import(name: str) -> None:
    """Import an example; raise ModuleNotFoundError or ValueError if its framework is missing."""
    try:
        importlib.import_module(EXAMPLES[name][0])
    except ModuleNotFoundError as missing:
        if name not in PACKAGES:
            raise
        install = f"pip install -c constraints/{name}.txt -e . {PACKAGES[name]}"
        raise ValueError(f"{missing.name} is not installed; {install}") from None


def run(name: str, learn: Learn, steps: int, argv: Sequence[str] | None = None) -> None:
    """Run an example: learn a game, then measure the agent.

    Args:
        name: Name of the example.
        learn: Function that learns a game from a number of decisions, with a `seed`, and returns an agent.
        steps: Decisions to learn from, unless the command line sets them.
        argv: Arguments of the command line.
    """
    with cli.user_errors("train"):
        args = cli.read(Args, f"training examples {name}", argv)
        game = cli.game(args.game, args.players)
        opponents = [load_agent("opponents", spec, game) for spec in args.opponents]
    with cli.work():
        began, steps = time.process_time(), args.steps or steps
        print(f"{name}: learning from about {steps} decisions", flush=True)
        agent = learn(game, steps, seed=args.seed)
        print(f"{name}: about {steps} decisions in {time.process_time() - began:.0f} CPU seconds of this process")
        show(name, [evaluate(game, agent, opponent, args.deals) for opponent in opponents])
