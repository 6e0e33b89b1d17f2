"""PPO of Tianshou over action features: `python -m training examples tianshou`.

    pip install -c constraints/tianshou.txt -e . tianshou torch rich

Tianshou reads Gymnasium environments. With `view="features"` the mask is part of the observation, so its networks need
only know where to look. A `RatingActor` is also the model of Tianshou's DQN.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.networks import RatingAgent, RatingNetwork, ValueNetwork
from training.examples import run

TABLES, COLLECTED = 16, 2048


class Table(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A table without infos, which Tianshou would store. A game at its limit is over, and no value follows it."""

    def reset(self, **options: Any) -> tuple[Any, dict[str, Any]]:
        """Deal a game."""
        return self.env.reset(**options)[0], {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Play the action, then the opponents' actions until the learner decides again."""
        lists, reward, terminated, truncated, _ = self.env.step(action)
        return lists, reward, terminated or truncated, truncated, {}


class RatingActor(RatingNetwork):
    """A network that rates the legal actions. Places without an action get a very small logit."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:  # type: ignore[override]
        """Return the ratings of the places of the lists, (batch, L), and `state` unchanged."""
        return super().forward(*map(torch.as_tensor, (obs.table, obs.actions, obs.action_mask))), state


class TableCritic(ValueNetwork):
    """A network that values tables."""

    def forward(self, obs: Any, **more: Any) -> torch.Tensor:  # type: ignore[override]
        """Return values (batch, 1)."""
        return super().forward(torch.as_tensor(obs.table))[:, None]


def learn(game: Game, steps: int, opponents: str = "scripted", seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions at tables with these opponents."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    seating: Any = {"opponents": opponents, "view": "features", **game.config}
    tables = DummyVectorEnv([lambda: Table(tantra_envs.make_seat(game.id, **seating)) for _ in range(TABLES)])
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
