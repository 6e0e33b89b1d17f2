"""PPO in one file, in the style of CleanRL, with torch as the only library: `python -m training examples own_loop`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

TABLES, LENGTH, EPOCHS, MINIBATCHES, CLIP, LAMBDA = 64, 32, 4, 4, 0.2, 0.95


class Policy(nn.Module):
    """A network with two hidden layers that returns action probabilities and a value."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(game.view.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.actor, self.critic = nn.Linear(128, game.actions.size), nn.Linear(128, 1)

    def forward(self, views: Any, masks: Any) -> tuple[Categorical, Any]:
        """Return the distribution over the legal actions, and the expected return."""
        hidden = self.hidden(views)
        logits = self.actor(hidden).masked_fill(~masks, torch.finfo(torch.float32).min)
        return Categorical(logits=logits), self.critic(hidden)[..., 0]


def learn(game: Game, steps: int) -> Agent:
    """Return an agent after `steps` decisions against random agents."""
    torch.manual_seed(1)
    seating: dict[str, Any] = {"opponents": "uniform", "autoreset_mode": "SameStep"}
    tables = tantra_envs.make_seat_vector(game.id, TABLES, **seating, **game.config)
    policy = Policy(game)
    adam = torch.optim.Adam(policy.parameters(), lr=1e-3)
    inputs, rng = _tensors(*tables.reset(seed=1)), np.random.default_rng(1)
    for _ in range(max(1, steps // (TABLES * LENGTH))):
        batch, inputs = collect(tables, policy, inputs)
        for _ in range(EPOCHS):
            for part in np.array_split(rng.permutation(TABLES * LENGTH), MINIBATCHES):
                adam.zero_grad()
                loss(policy, *(column[part] for column in batch)).backward()
                adam.step()
    return adapters.player("own_loop", lambda views, masks: policy(*_tensors(views, masks))[0].logits.detach().numpy())


@torch.no_grad()
def collect(tables: Any, policy: Policy, inputs: Any) -> tuple[list[Any], Any]:
    """Return LENGTH decisions at every table with their generalised advantages, and the next inputs."""
    rows = []
    for _ in range(LENGTH):
        distribution, values = policy(*inputs)
        actions = distribution.sample()
        views, rewards, terminated, truncated, infos = tables.step(actions.numpy())
        ends = torch.from_numpy(terminated | truncated).float()
        rows.append((*inputs, actions, distribution.log_prob(actions), values, torch.from_numpy(rewards).float(), ends))
        inputs = _tensors(views, infos)
    views, masks, actions, before, values, rewards, ends = (torch.stack(column) for column in zip(*rows, strict=True))
    advantages, advantage, after = torch.zeros_like(rewards), torch.zeros(TABLES), policy(*inputs)[1]
    for t in reversed(range(LENGTH)):  # no value follows the end of a game
        advantage = rewards[t] + (1 - ends[t]) * (after + LAMBDA * advantage) - values[t]
        advantages[t], after = advantage, values[t]
    return [column.flatten(0, 1) for column in (views, masks, actions, before, advantages, advantages + values)], inputs


def loss(policy: Policy, views: Any, masks: Any, actions: Any, before: Any, advantages: Any, returns: Any) -> Any:
    """Return PPO's clipped objective, the critic's error and an entropy bonus as one loss."""
    distribution, values = policy(views, masks)
    ratio = (distribution.log_prob(actions) - before).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    objective = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    return (values - returns).square().mean() / 2 - objective - 0.01 * distribution.entropy().mean()


def _tensors(views: Any, infos: Any) -> tuple[Any, Any]:
    masks = infos["action_mask"] if isinstance(infos, dict) else infos
    return torch.from_numpy(views), torch.from_numpy(masks).bool()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("own_loop", learn, steps=20_000, argv=argv)
