"""MaskablePPO over action features, as in the example `sb3`: `training examples baselines ppo-features karma`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from .course import LEARNING_RATE, Course


def learn(course: Course) -> None:
    """Train MaskablePPO with `RatingPolicy` against the agent of --opponents."""
    from tantra_envs.networks import save_network
    from training.examples import sb3

    def agents() -> Iterator[Any]:
        own: Any = {"seed": course.args.seed, "opponents": course.args.opponents, "rate": LEARNING_RATE}
        return sb3.agents(course.game, **own)

    def save(agent: Any, file: Path) -> str:
        file = file.with_suffix(".safetensors")
        save_network(agent.network, course.game, file)
        return f"ppo:{file}"

    next(agents())  # compiles the game
    course.begin()
    for updates, agent in enumerate(agents(), start=1):
        if not course.going(sb3.TABLES * sb3.OPTIONS["n_steps"] * updates, partial(save, agent)):
            return
