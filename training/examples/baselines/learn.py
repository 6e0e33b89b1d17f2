"""Our Q-learning over action features: `python -m training examples baselines learn karma`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tantra_envs.games import settings

from .course import Course, run

COMMON: dict[str, Any] = {
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


def learn(course: Course) -> None:
    """Train a small network over the features of actions: in all seats, or in one team against --opponents."""
    from training.q_learning import Args, QLearning

    own = settings(course.game.id, "q-learning")
    options = {**COMMON, **own, "epsilon": tuple(own["epsilon"])}
    options["learning_rate"] = course.args.learning_rate or options["learning_rate"]
    args = Args(
        game=course.args.game,
        players=course.game.players,
        seed=course.args.seed,
        opponents=(course.args.opponents,),
        total_decisions=course.args.decisions,
        **options,
    )

    train(course, QLearning, args)


def train(course: Course, program: Callable[[Any], Any], args: Any) -> None:
    """Train a run of `training ppo` or `training q-learning` until the budget of the course is spent."""
    from tantra_envs.opponents.model_files import write_model

    def save(file: Path) -> str:
        file = file.with_suffix(".safetensors")
        write_model(file, learner.tensors(), args.spec, course.game, decisions=learner.decisions)
        return f"ppo:{file}"

    program(args).update()  # compiles the game
    learner = program(args)
    course.begin()
    while course.going(learner.decisions, save):
        learner.update()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("learn", "tantra_envs", learn, argv)
