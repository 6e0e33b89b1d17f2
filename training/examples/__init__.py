"""One short program for each framework that learns a game here and is then judged. Each is read from top to bottom.

python -m training.examples.sb3                                          Karma, about a minute of two cores
python -m training.examples.sb3 --game tantra --steps 5000 --deals 20    another game, a few steps
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from agents import Agent, parse
from tantra_envs import cli
from tantra_envs.core.game import Game
from training.evaluate import evaluate, show

Learn = Callable[[Game, int], Agent]


@dataclass(frozen=True, kw_only=True)
class Args:
    """Learn a game against uniform play, and see what came of it.

    Example: python -m training.examples.sb3 --game karma --steps 40000
    """

    game: str = "karma"
    """A game, or game:variant."""
    steps: int = 0
    """Decisions to learn from; 0 = as many as the example needs for Karma."""
    deals: int = 500
    """Deals it is judged by, each played once for every seat."""


def run(name: str, learn: Learn, steps: int, *, untrained: bool = False) -> None:
    """Run the command of an example: `learn(game, steps)` gives an agent, which then plays uniform opponents.

    untrained: print the score of `learn(game, 0)` as well, before all else.
    """
    program = f"training.examples.{name}"
    with cli.user_errors("train"):
        args = cli.read(Args, program)
        cli.check_ranges(args, steps=(0, math.inf), deals=(2, math.inf))
        game = cli.game(args.game)
    with cli.work():
        (uniform,) = parse("uniform", game)
        if untrained:
            show(f"{name}, before", [evaluate(game, learn(game, 0), uniform, args.deals)])
        began, steps = time.process_time(), args.steps or steps
        agent = learn(game, steps)
        print(f"{name}: {steps} decisions in {time.process_time() - began:.0f} s of this process's cores")
        show(name, [evaluate(game, agent, uniform, args.deals)])
