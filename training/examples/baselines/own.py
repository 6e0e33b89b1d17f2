"""Our learners at the budget of the benchmark: `python -m training examples baselines self-play karma`, and `learn`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tantra_envs.games import settings
from tantra_envs.opponents.model_files import write_model

from .course import Course

COMMON: dict[str, Any] = {  # of Q-learning
    "tables": 128,
    "steps": 96,
    "batch_size": 1024,
    "epochs": 2,
    "learning_rate": 2e-3,
    "activation": "tanh",
    "average_weights": 0.0,
    "reward": "points",
    "episode": "round",
    "opponent_share": 0.6,
}


def learn_values(course: Course) -> None:
    """Train a small network by Q-learning: in all seats, or in one team against --opponents."""
    from training.q_learning import Args, QLearning

    own = settings(course.game.id, "q-learning")
    options = {**COMMON, **own, "epsilon": tuple(own["epsilon"]), "opponents": (course.args.opponents,)}
    train(course, QLearning, Args, options)


def learn_by_self_play(course: Course) -> None:
    """Train the network of `training ppo`, in all seats."""
    from training.ppo import PPO, Args

    train(course, PPO, Args, {})


def train(
    course: Course, program: Callable[[Any], Any], arguments: Callable[..., Any], options: dict[str, Any]
) -> None:
    """Train a run of `training ppo` or `training q-learning` until the budget of the course is spent."""
    common = {"game": course.args.game, "players": course.game.players, "seed": course.args.seed}
    args = arguments(**common, total_decisions=course.args.decisions, **options)

    def save(file: Path) -> None:
        write_model(file, learner.tensors(), args.spec, course.game, decisions=learner.decisions)

    program(args).update()  # compiles the game
    learner = program(args)
    course.begin()
    while course.going(learner.decisions, save):
        learner.update()
