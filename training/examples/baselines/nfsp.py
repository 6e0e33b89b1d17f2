"""Neural fictitious self-play of RLCard: `python -m training examples baselines nfsp karma`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .course import Course, run
from .self_play import every_transition, play, seed_all, write_network

OPTIONS: dict[str, Any] = {
    "hidden_layers_sizes": [128, 128],
    "q_mlp_layers": [128, 128],
    "rl_learning_rate": 1e-3,
    "sl_learning_rate": 1e-3,
    "reservoir_buffer_capacity": 100_000,
    "anticipatory_param": 0.1,
    "train_every": 16,
    "q_train_every": 8,
    "q_batch_size": 128,
    "q_replay_memory_init_size": 1_000,
    "min_buffer_size_to_learn": 1_000,
    "q_discount_factor": 1.0,
    "q_update_target_estimator_every": 200,
}


def learn(course: Course) -> None:
    """Train one agent in all seats. The agent that is saved plays the most probable action of its average policy."""
    from rlcard.agents import NFSPAgent

    seed_all(course.args.seed)
    game = course.game
    agent = NFSPAgent(num_actions=game.actions.size, state_shape=[game.view.size], device="cpu", **OPTIONS)

    def save(file: Path) -> str:
        return write_network(file, agent.policy_network, course, agent.total_t, "relu")

    play(course, agent, every_transition(agent), agent.sample_episode_policy, save)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("nfsp", "rlcard", learn, argv)
