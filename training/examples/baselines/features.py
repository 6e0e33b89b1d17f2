"""MaskablePPO over action features, as in the example `sb3`: `training examples baselines ppo-features karma`."""

from __future__ import annotations

from functools import partial
from typing import Any

from .course import LEARNING_RATE, Course


def learn(course: Course) -> None:
    """Train MaskablePPO with `RatingPolicy` against the agent of --opponents."""
    from tantra_envs.networks import save_network
    from training.examples import sb3

    agents: Any = partial(sb3.agents, course.game, course.args.seed, course.args.opponents, rate=LEARNING_RATE)
    next(agents())  # compiles the game
    course.begin()
    for updates, agent in enumerate(agents(), start=1):
        save = partial(save_network, agent.network, course.game)
        if not course.going(sb3.TABLES * sb3.OPTIONS["n_steps"] * updates, save):
            return
