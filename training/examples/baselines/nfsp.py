"""Neural fictitious self-play of RLCard: `python -m training examples baselines nfsp karma`."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .course import Course, run, seed_all, write_agent
from .rlcard_loop import every_transition, play, write_network

OPTIONS: dict[str, Any] = {
    "hidden_layers_sizes": [128, 128],
    "q_mlp_layers": [128, 128],
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
    """Train one agent in all seats. Each seat draws for every game whether it plays the best response or the average.

    The agent that is saved samples its actions from the average policy.
    """
    from rlcard.agents import NFSPAgent

    seed_all(course.args.seed)
    game = course.game
    sizes = {"num_actions": game.actions.size, "state_shape": [game.view.size]}
    rates = {"rl_learning_rate": course.learning_rate, "sl_learning_rate": course.learning_rate}
    agent = NFSPAgent(**sizes, **rates, device="cpu", **OPTIONS)
    seats = [copy.copy(agent) for _ in range(game.players)]  # they share the networks and the buffers

    def save(file: Path) -> str:
        write_network(file, agent.policy_network, course, agent.total_t, "relu")
        return write_agent(file, "SampledPolicy")

    def draw_policies() -> None:
        for seat in seats:
            seat.sample_episode_policy()

    play(course, seats, every_transition(agent), draw_policies, save)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the baseline."""
    run("nfsp", "rlcard", learn, argv)
