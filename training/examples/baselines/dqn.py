"""Double DQN of RLCard, in all seats: `python -m training examples baselines dqn karma`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .course import Course, run, seed_all
from .rlcard_loop import every_transition, play, write_network

OPTIONS: dict[str, Any] = {
    "mlp_layers": [128, 128],
    "discount_factor": 1.0,
    "epsilon_decay_steps": 20_000,
    "train_every": 8,
    "batch_size": 128,
    "replay_memory_init_size": 1_000,
    "update_target_estimator_every": 200,
}


def learn(course: Course) -> None:
    """Train one network in all seats until the budget is spent."""
    from rlcard.agents import DQNAgent

    seed_all(course.args.seed)
    game = course.game
    sizes = {"num_actions": game.actions.size, "state_shape": [game.view.size]}
    agent = DQNAgent(**sizes, learning_rate=course.learning_rate, device="cpu", **OPTIONS)

    def save(file: Path) -> str:
        return write_network(file, agent.q_estimator.qnet, course, agent.total_t, "tanh")

    play(course, [agent] * game.players, every_transition(agent), lambda: None, save)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("dqn", "rlcard", learn, argv)
