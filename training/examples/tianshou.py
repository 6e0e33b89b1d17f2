"""PPO of Tianshou over action features: `python -m training examples tianshou`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams

from tantra_envs import adapters
from tantra_envs.adapters.networks import RatingAgent
from tantra_envs.adapters.tianshou_tables import RatingActor, TableCritic
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

TABLES, COLLECTED = 16, 2048


def learn(game: Game, steps: int, opponents: str = "scripted", seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions at tables with these opponents."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    tables = DummyVectorEnv([
        lambda: adapters.tianshou(game, opponents=opponents, view="features") for _ in range(TABLES)
    ])  # fmt: skip
    tables.seed(seed)
    actor, critic = RatingActor(*game.features.sizes), TableCritic(game.features.of_table.size)
    policy = DiscreteActorPolicy(actor=actor, action_space=tables.action_space[0])
    optim, options = AdamOptimizerFactory(lr=1e-3), {"gamma": 1.0, "ent_coef": 0.01, "advantage_normalization": True}
    algorithm: Any = PPO(policy=policy, critic=critic, optim=optim, **options)
    collector: Collector[CollectStats] = Collector(algorithm, tables, VectorReplayBuffer(COLLECTED, TABLES))
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=steps,
            collection_step_num_env_steps=COLLECTED,
            update_step_num_repetitions=4,
            batch_size=512,
            show_progress=False,
            verbose=False,
        )
    )
    return RatingAgent("tianshou", actor)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("tianshou", learn, steps=40_000, argv=argv)
