"""Q-learning over action features, our own `training learn`: `python -m training examples baselines learn karma`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .course import Course, run

TABLES = 128
# Options by game, from the files of configs/training with this algorithm; Tantra and Tantrix have the defaults.
OPTIONS: dict[str, dict[str, Any]] = {
    "karma": {"epsilon": (0.02,), "trace": 0.9, "patience": 0, "cost": 0.006},
    "tarot": {"epsilon": (0.05,), "trace": 0.8, "patience": 0, "cost": 0.0, "squash": 0.3},
    "kanastic": {"epsilon": (0.02,), "trace": 0.9, "patience": 250, "cost": 0.02},
}


def learn(course: Course) -> None:
    """Train a small network over the features of actions: in all seats, or in one team against --opponents."""
    import torch

    from tantra_envs.opponents.model_files import write_model
    from training.learn.options import Args, check
    from training.learn.q_learning import QLearning

    rate: Any = {"learning_rate": course.args.learning_rate} if course.args.learning_rate else {}

    def build(iterations: int) -> QLearning:
        args = Args(
            algorithm="q-learning",
            game=course.args.game,
            players=course.game.players,
            seed=course.args.seed,
            opponents=(course.args.opponents,),
            tables=TABLES,
            iterations=iterations,
            **OPTIONS.get(course.game.id, {}),
            **rate,
        )
        check(args)
        return QLearning(args, course.game, lambda: None)

    def save(file: Path) -> str:
        file = file.with_suffix(".safetensors")
        write_model(file, learner.tensors(), learner.args.spec, course.game, decisions=learner.decisions)
        return f"ppo:{file}"

    torch.set_num_threads(1)
    trial = build(1)
    trial.iterate()  # compiles, and shows how many decisions an iteration has
    learner = build(-(-course.args.decisions // trial.decisions))  # the estimate only sets how the learning rate falls
    course.begin()
    while course.going(learner.decisions, save):
        learner.iterate()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("learn", "tantra_envs", learn, argv)
