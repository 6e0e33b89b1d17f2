"""PPO of Tianshou, with the masked actor of our adapter: `python -m training examples tianshou`."""

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
from torch import nn

from tantra_envs import adapters
from tantra_envs.adapters.tianshou_tables import MaskedActor, SeenCritic
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

TABLES, COLLECTED = 16, 2048


def learn(game: Game, steps: int, seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions against random agents."""
    torch.manual_seed(seed)
    tables = DummyVectorEnv([lambda: adapters.tianshou(game, opponents="uniform") for _ in range(TABLES)])
    tables.seed(seed)
    net, critic = network(game, game.actions.size), network(game, 1)
    policy = DiscreteActorPolicy(actor=MaskedActor(net), action_space=tables.action_space[0])
    optim, options = AdamOptimizerFactory(lr=1e-3), {"gamma": 1.0, "ent_coef": 0.01, "advantage_normalization": True}
    algorithm: Any = PPO(policy=policy, critic=SeenCritic(critic), optim=optim, **options)
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
    return adapters.player("tianshou", lambda views, masks: net(torch.from_numpy(views)).detach().numpy())


def network(game: Game, outputs: int) -> nn.Module:
    """Return a network with two hidden layers."""
    hidden = nn.Sequential(nn.Linear(game.view.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
    return hidden.append(nn.Linear(128, outputs))


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("tianshou", learn, steps=20_000, argv=argv)
