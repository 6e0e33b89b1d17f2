"""Programs over action features: `python -m training examples baselines ppo-features karma`, and `own-loop`.

They are those of the examples `sb3` and `own_loop`, at the budget of the benchmark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from .course import Course, run


def learn_ppo(course: Course) -> None:
    """Train MaskablePPO with `RatingPolicy` against the agent of --opponents."""
    from training.examples import sb3

    own: Any = {"seed": course.args.seed, "opponents": course.args.opponents, "rate": course.learning_rate}
    follow(course, lambda: sb3.agents(course.game, **own), sb3.TABLES * sb3.OPTIONS["n_steps"])


def learn_loop(course: Course) -> None:
    """Train with the loop of the example `own_loop` against the agent of --opponents."""
    from training.examples import own_loop

    decisions = own_loop.TABLES * own_loop.LENGTH
    steps = math.ceil(course.args.decisions / decisions) * decisions  # the loop itself leaves out an unfinished update
    own: Any = {"seed": course.args.seed, "opponents": course.args.opponents, "rate": course.learning_rate}
    follow(course, lambda: own_loop.agents(course.game, steps, **own), decisions)


def follow(course: Course, agents: Callable[[], Iterator[Any]], decisions: int) -> None:
    """Train until the budget of the course is spent.

    Args:
        course: The course.
        agents: Function that begins a training, which yields a `RatingAgent` after every update.
        decisions: The number of decisions that an update learns from.
    """
    from tantra_envs.networks import save_network

    def save(agent: Any, file: Path) -> str:
        file = file.with_suffix(".safetensors")
        save_network(agent.network, course.game, file)
        return f"ppo:{file}"

    next(agents())  # compiles the game
    course.begin()
    for updates, agent in enumerate(agents(), start=1):
        if not course.going(decisions * updates, partial(save, agent)):
            return


def ppo(argv: Sequence[str] | None = None) -> None:
    """Run the baseline of MaskablePPO."""
    run("ppo-features", "sb3-contrib", learn_ppo, argv)


def own_loop(argv: Sequence[str] | None = None) -> None:
    """Run the baseline of the loop."""
    run("own-loop", "torch", learn_loop, argv)
