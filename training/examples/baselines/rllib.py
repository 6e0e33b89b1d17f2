"""PPO of RLlib with one policy in all seats: `python -m training examples baselines rllib karma`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tantra_envs import adapters
from tantra_envs.opponents.model_files import write_layers

from .course import LEARNING_RATE, Course, layers_of

COLLECTED = 4000
OPTIONS: dict[str, Any] = {"gamma": 1.0, "num_epochs": 4, "entropy_coeff": 0.01, "minibatch_size": 512}


def learn(course: Course) -> None:
    """Train in all seats, in this process, so that its clock counts everything."""
    import ray
    import torch
    from ray.rllib.algorithms.ppo import PPOConfig

    torch.set_num_threads(1)
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, ignore_reinit_error=True)
    setup = adapters.rllib(course.game, policies="shared")
    config: Any = PPOConfig().env_runners(num_env_runners=0, num_envs_per_env_runner=8)
    config.training(train_batch_size_per_learner=COLLECTED, lr=LEARNING_RATE, **OPTIONS)
    config.debugging(seed=course.args.seed)
    network = {"fcnet_hiddens": [128, 128], "fcnet_activation": "tanh", "vf_share_layers": False}
    algorithm = setup.configure(config, **network).build_algo()
    decisions = 0

    def save(file: Path) -> None:
        module = algorithm.get_module("shared")
        layers = layers_of(module.encoder.actor_encoder, module.pi)
        write_layers(file, layers, course.game, decisions=decisions)

    course.begin()
    while course.going(decisions, save):
        decisions = int(algorithm.train()["env_runners"]["num_env_steps_sampled_lifetime"])
    ray.shutdown()
