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
from tantra_envs.core.features import Described
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.networks import RatingAgent, RatingNetwork, ValueNetwork, log_softmax, tensors
from training.examples import run

TABLES, LENGTH, MINIBATCH, CLIP, LAMBDA = 512, 64, 2048, 0.2, 0.95
RATE, ENTROPY = 1e-3, 0.05  # at the start; both fall to a tenth


class Network(nn.Module):
    """A network that rates the legal actions, and a network that values the table for the seat to decide."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.actor = RatingNetwork(*game.features.sizes).begin_even()
        self.critic = ValueNetwork(game.features.of_table.size)

    def forward(self, described: Described) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the log-probabilities of the legal actions, (k, most legal actions), and the values, (k,)."""
        features, tables, rows = tensors(described)
        return log_softmax(self.actor.rate(features, tables, rows), described.counts), self.critic(tables)


def learn(game: Game, steps: int, seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions of all seats."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    network, rng = Network(game), np.random.default_rng(seed)
    adam = torch.optim.Adam(network.parameters())
    tables = tantra_envs.make_batch(game.id, TABLES, seed=seed, view="features", **game.config)
    updates = max(1, steps // (TABLES * LENGTH))
    for update in range(updates):
        left = 1 - 0.9 * update / updates
        adam.param_groups[0]["lr"] = RATE * left
        seen, results = collect(game, tables, network)
        for rows in np.array_split(rng.permutation(len(seen.counts)), -(-len(seen.counts) // MINIBATCH)):
            adam.zero_grad()
            loss(network, ENTROPY * left, seen.take(rows), *(column[rows] for column in results)).backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            adam.step()
    return RatingAgent("self_play", network.actor)


@torch.no_grad()
def collect(game: Game, tables: Any, network: Network) -> tuple[Described, list[torch.Tensor]]:
    """Play LENGTH actions at every table. Return the decisions, and their actions, advantages and returns."""
    every, rows = np.arange(TABLES), []
    for _ in range(LENGTH):
        described, seats = tables.described.take(every), tables.seats
        log_probs, values = network(described)
        places = torch.multinomial(log_probs.exp(), 1)[:, 0]
        _, _, rewards, terminated, truncated = tables.step(described.actions[described.starts + places.numpy()])
        before = log_probs.gather(1, places[:, None])[:, 0]
        rows.append((described, places, before, values, seats, rewards.copy(), terminated | truncated))
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
    seen = Described(*map(np.concatenate, zip(*(row[0] for row in rows), strict=True)))
    keep = np.flatnonzero(~advantage.isnan().numpy() & (seen.counts > 1))  # a forced action teaches nothing
    places, before, values = (torch.cat(column)[keep] for column in list(zip(*rows, strict=True))[1:4])
    return seen.take(keep), [places, before, advantage[keep], advantage[keep] + values]


def loss(
    network: Network, entropy: float, described: Described, places: Any, before: Any, advantages: Any, returns: Any
) -> Any:
    """Return PPO's clipped objective, the critic's error and an entropy bonus as one loss."""
    log_probs, values = network(described)
    ratio = (log_probs.gather(1, places[:, None])[:, 0] - before).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    objective = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    disorder = -(log_probs.exp() * log_probs.clamp(min=-30)).sum(dim=1).mean()
    return (values - returns).square().mean() / 2 - objective - entropy * disorder


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("self_play", learn, steps=6_000_000, argv=argv)
