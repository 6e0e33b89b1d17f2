"""PPO of RLlib on its new API stack, with one policy for all seats: `python -m training examples rllib`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ray
from ray.rllib.algorithms.ppo import PPOConfig

from tantra_envs import adapters
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

COLLECTED = 4000


def learn(game: Game, steps: int) -> Agent:
    """Return an agent after `steps` decisions of self-play in all seats."""
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    setup = adapters.rllib(game, policies="shared")
    config: Any = PPOConfig().env_runners(num_env_runners=1, num_envs_per_env_runner=8)
    options = {"gamma": 1.0, "lr": 1e-3, "num_epochs": 4, "entropy_coeff": 0.01, "minibatch_size": 512}
    config.training(train_batch_size_per_learner=COLLECTED, **options)
    config.debugging(seed=1)
    algorithm = setup.configure(
        config, fcnet_hiddens=[128, 128], fcnet_activation="tanh", vf_share_layers=False
    ).build_algo()
    for _ in range(max(1, steps // COLLECTED)):
        algorithm.train()
    learned: Agent = setup.player(algorithm)
    return learned


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("rllib", learn, steps=24_000, argv=argv)
