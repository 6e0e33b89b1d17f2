"""Our PPO in all seats: `python -m training examples baselines self-play karma`."""

from __future__ import annotations

from collections.abc import Sequence

from .course import Course, run
from .learn import train


def learn(course: Course) -> None:
    """Train the network of `training ppo` over the features of actions, in all seats."""
    from training.ppo import PPO, Args

    args = Args(
        game=course.args.game,
        players=course.game.players,
        seed=course.args.seed,
        total_decisions=course.args.decisions,
        learning_rate=course.args.learning_rate or Args.learning_rate,
    )
    train(course, PPO, args)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("self-play", "tantra_envs", learn, argv)
