"""PPO in one file, in the manner of CleanRL, with tables and torch alone: `python -m training examples own_loop`."""

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
    """Logits and a value from two hidden layers."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(game.view.size, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh())
        self.actor, self.critic = nn.Linear(128, game.actions.size), nn.Linear(128, 1)

    def forward(self, views: Any, masks: Any) -> tuple[Categorical, Any]:
        """The chances of the legal actions, and what is to be expected."""
        hidden = self.hidden(views)
        logits = self.actor(hidden).masked_fill(~masks, torch.finfo(torch.float32).min)
        return Categorical(logits=logits), self.critic(hidden)[..., 0]


def learn(game: Game, steps: int) -> Agent:
    """An agent after `steps` decisions against uniform play."""
    torch.manual_seed(1)
    seating = {"opponents": "uniform", "autoreset_mode": "SameStep"}
    tables = tantra_envs.make_seat_vector(game.id, TABLES, **seating, **game.config)
    policy = Policy(game)
    adam = torch.optim.Adam(policy.parameters(), lr=1e-3)
    inputs = _tensors(*tables.reset(seed=1))
    for _ in range(max(1, steps // (TABLES * LENGTH))):
        batch, inputs = collect(tables, policy, inputs)
        for part in np.array_split(np.random.default_rng(1).permutation(TABLES * LENGTH), MINIBATCHES) * EPOCHS:
            adam.zero_grad()
            loss(policy, *(column[part] for column in batch)).backward()
            adam.step()
    return adapters.player("own_loop", lambda views, masks: policy(*_tensors(views, masks))[0].logits.detach().numpy())


@torch.no_grad()
def collect(tables: Any, policy: Policy, inputs: Any) -> tuple[list[Any], Any]:
    """LENGTH decisions at every table with their generalised advantages, and what is seen after them."""
    rows = []
    for _ in range(LENGTH):
        chances, values = policy(*inputs)
        actions = chances.sample()
        views, rewards, terminated, truncated, infos = tables.step(actions.numpy())
        ends, paid = torch.from_numpy(terminated | truncated).float(), torch.from_numpy(rewards).float()
        rows.append((*inputs, actions, chances.log_prob(actions), values, paid, ends))
        inputs = _tensors(views, infos)
    views, masks, actions, before, values, paid, ends = (torch.stack(column) for column in zip(*rows, strict=True))
    gains, gain, after = torch.zeros_like(paid), torch.zeros(TABLES), policy(*inputs)[1]
    for t in reversed(range(LENGTH)):  # an end has nothing after it
        gain = paid[t] + (1 - ends[t]) * (after + LAMBDA * gain) - values[t]
        gains[t], after = gain, values[t]
    return [column.flatten(0, 1) for column in (views, masks, actions, before, gains, gains + values)], inputs


def loss(policy: Policy, views: Any, masks: Any, actions: Any, before: Any, gains: Any, returns: Any) -> Any:
    """PPO's clipped objective, the critic's error, and a little entropy."""
    chances, values = policy(views, masks)
    ratio, gains = (chances.log_prob(actions) - before).exp(), (gains - gains.mean()) / (gains.std() + 1e-8)
    gained = torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
    return (values - returns).square().mean() / 2 - gained - 0.01 * chances.entropy().mean()


def _tensors(views: Any, infos: Any) -> tuple[Any, Any]:
    masks = infos["action_mask"] if isinstance(infos, dict) else infos
    return torch.from_numpy(views), torch.from_numpy(masks).bool()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("own_loop", learn, steps=20_000, argv=argv)
