"""Our PPO in all seats: `python -m training examples baselines self_play karma`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .course import Course, run


def learn(course: Course) -> None:
    """Train the network of `training ppo` over the features of actions, in all seats."""
    from tantra_envs.opponents.model_files import write_model
    from training.ppo import PPO, Args

    args = Args(
        game=course.args.game,
        players=course.game.players,
        seed=course.args.seed,
        total_decisions=course.args.decisions,
        learning_rate=course.args.learning_rate or Args.learning_rate,
    )

    def save(file: Path) -> str:
        file = file.with_suffix(".safetensors")
        write_model(file, learner.tensors(), args.spec, course.game, decisions=learner.decisions)
        return f"ppo:{file}"

    PPO(args).update()  # compiles the game
    learner = PPO(args)
    course.begin()
    while course.going(learner.decisions, save):
        learner.update()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("self-play", "tantra_envs", learn, argv)
