"""Self-play in one file, with NumPy and torch: one network plays all seats of many tables, and every seat learns.

    python -m training examples self_play

`python -m training ppo` is the complete program. This one is for your own loop: copy it and change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

import tantra_envs
from tantra_envs import adapters
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from training.examples import run

TABLES, LENGTH, MINIBATCH, CLIP, LAMBDA = 512, 64, 2048, 0.2, 0.95
RATE, ENTROPY = 1e-3, 0.05  # at the start; both fall to a tenth


class Network(nn.Module):
    """A policy and a value network over the observation."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(game.view.size, 128), nn.ReLU(), nn.Linear(128, game.actions.size))
        self.critic = nn.Sequential(nn.Linear(game.view.size, 128), nn.ReLU(), nn.Linear(128, 1))

    def forward(self, views: Any, masks: Any) -> tuple[Any, Any]:
        """Return the log-probabilities of the actions and the value of the position for the seat to decide."""
        logits = self.policy(views).masked_fill(~masks, -1e9)
        return torch.log_softmax(logits, dim=1), self.critic(views)[:, 0]


def learn(game: Game, steps: int, seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions of all seats."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network, rng = Network(game), np.random.default_rng(seed)
    adam = torch.optim.Adam(network.parameters())
    tables = tantra_envs.make_batch(game.id, TABLES, seed=seed, **game.config)
    updates = max(1, steps // (TABLES * LENGTH))
    for update in range(updates):
        left = 1 - 0.9 * update / updates
        adam.param_groups[0]["lr"] = RATE * left
        batch = collect(game, tables, network)
        for rows in np.array_split(rng.permutation(len(batch[0])), -(-len(batch[0]) // MINIBATCH)):
            adam.zero_grad()
            loss(network, ENTROPY * left, *(column[rows] for column in batch)).backward()
            adam.step()
    return adapters.player("self_play", lambda views, masks: network(*tensors(views, masks))[0].detach().numpy())


@torch.no_grad()
def collect(game: Game, tables: Any, network: Network) -> list[torch.Tensor]:
    """Play LENGTH actions at every table. Return the decisions with their advantages and returns."""
    every, rows = np.arange(TABLES), []
    for _ in range(LENGTH):
        inputs, seats = tensors(tables.observations.copy(), tables.action_masks), tables.seats
        log_probs, values = network(*inputs)
        actions = torch.multinomial(log_probs.exp(), 1)[:, 0]
        _, _, rewards, terminated, truncated = tables.step(actions.numpy())
        before = log_probs.gather(1, actions[:, None])[:, 0]
        rows.append((*inputs, actions, before, values, seats, rewards.copy(), terminated | truncated))
    # Backwards: `after`, `trace` and `paid` belong to each seat's next decision, and `known` says whether it exists.
    after, trace, paid = (np.zeros((TABLES, game.players), np.float32) for _ in range(3))
    known, results = np.zeros((TABLES, game.players), bool), []
    for *_, values, seats, rewards, over in reversed(rows):
        after[over], trace[over], paid[over], known[over] = 0, 0, 0, True
        paid += rewards
        mine = every, seats
        advantages = paid[mine] + after[mine] + LAMBDA * trace[mine] - values.numpy()
        results.append(np.where(known[mine], advantages, np.nan))
        after[mine], trace[mine], paid[mine] = values.numpy(), np.where(known[mine], advantages, 0), 0
        known[mine] = True
    advantage = torch.from_numpy(np.concatenate(results[::-1]).astype(np.float32))
    views, masks, actions, before, values = (torch.cat(column) for column in list(zip(*rows, strict=True))[:5])
    keep = ~advantage.isnan() & (masks.sum(dim=1) > 1)  # a forced action teaches nothing
    return [part[keep] for part in (views, masks, actions, before, advantage, advantage + values)]


def loss(
    network: Network, entropy: float, views: Any, masks: Any, actions: Any, before: Any, advantages: Any, returns: Any
) -> Any:
    """Return PPO's clipped objective, the critic's error and an entropy bonus as one loss."""
    log_probs, values = network(views, masks)
    ratio = (log_probs.gather(1, actions[:, None])[:, 0] - before).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    objective = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    disorder = -(log_probs.exp() * log_probs.clamp(min=-30)).sum(dim=1).mean()
    return (values - returns).square().mean() / 2 - objective - entropy * disorder


def tensors(views: Any, masks: Any) -> tuple[Any, Any]:
    """Return observations and masks as tensors."""
    return torch.from_numpy(views), torch.from_numpy(masks).bool()


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("self_play", learn, steps=30_000_000, argv=argv)
