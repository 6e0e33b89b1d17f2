"""PPO over action features in one file, with torch as the only library: `python -m training examples own_loop`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

import tantra_envs
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.networks import RatingAgent, RatingNetwork, ValueNetwork
from training.examples import run

TABLES, LENGTH, EPOCHS, MINIBATCH, RATE, CLIP, LAMBDA, ENTROPY = 64, 64, 8, 512, 1e-3, 0.2, 0.95, 0.02
Lists = dict[str, torch.Tensor]  # an observation with view="features"


class Policy(nn.Module):
    """A network that rates each legal action, and a network that values the table."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.actor = RatingNetwork(*game.features.sizes).begin_even()
        self.critic = ValueNetwork(game.features.of_table.size)

    def forward(self, lists: Lists) -> tuple[Categorical, torch.Tensor]:
        """Return the distribution over the places of the lists, and the expected returns."""
        ratings = self.actor(lists["table"], lists["actions"], lists["action_mask"])
        return Categorical(logits=ratings), self.critic(lists["table"])


def agents(game: Game, steps: int, seed: int = 1, opponents: str = "scripted", rate: float = RATE) -> Iterator[Agent]:
    """Learn from `steps` decisions at tables with these opponents; yield the agent after every update."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    seating: dict[str, Any] = {"opponents": opponents, "autoreset_mode": "SameStep", "view": "features"}
    tables = tantra_envs.make_seat_vector(game.id, TABLES, **seating, **game.config)
    policy, rng = Policy(game), np.random.default_rng(seed)
    adam = torch.optim.Adam(policy.parameters(), lr=rate)
    lists, updates = as_tensors(tables.reset(seed=seed)[0]), max(1, steps // (TABLES * LENGTH))
    for update in range(updates):
        adam.param_groups[0]["lr"] = rate * (1 - update / updates)
        seen, others, lists = collect(tables, policy, lists)
        for _ in range(EPOCHS):
            for rows in np.array_split(rng.permutation(TABLES * LENGTH), TABLES * LENGTH // MINIBATCH):
                adam.zero_grad()
                batch = {name: array[rows] for name, array in seen.items()}
                loss(policy, batch, *(column[rows] for column in others)).backward()
                nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
                adam.step()
        yield RatingAgent("own_loop", policy.actor)


def learn(game: Game, steps: int, seed: int = 1) -> Agent:
    """Return an agent after `steps` decisions."""
    return [*agents(game, steps, seed)][-1]


@torch.no_grad()
def collect(tables: Any, policy: Policy, lists: Lists) -> tuple[Lists, list[torch.Tensor], Lists]:
    """Play LENGTH decisions at every table. Return them with their advantages, and the next observations."""
    rows = []
    for _ in range(LENGTH):
        distribution, values = policy(lists)
        places = distribution.sample()
        after, rewards, terminated, truncated, _ = tables.step(places.numpy())
        ends = torch.from_numpy(terminated | truncated).float()
        rows.append((lists, places, distribution.log_prob(places), values, torch.from_numpy(rewards).float(), ends))
        lists = as_tensors(after)
    seen = {name: torch.cat([row[0][name] for row in rows]) for name in lists}
    places, before, values, rewards, ends = (torch.stack(column) for column in list(zip(*rows, strict=True))[1:])
    advantages, advantage, following = torch.zeros_like(values), torch.zeros(TABLES), policy(lists)[1]
    for t in reversed(range(LENGTH)):  # no value follows the end of a game
        advantage = rewards[t] + (1 - ends[t]) * (following + LAMBDA * advantage) - values[t]
        advantages[t], following = advantage, values[t]
    return seen, [column.flatten() for column in (places, before, advantages, advantages + values)], lists


def loss(policy: Policy, lists: Lists, places: Any, before: Any, advantages: Any, returns: Any) -> Any:
    """Return PPO's clipped objective, the critic's error and an entropy bonus as one loss."""
    distribution, values = policy(lists)
    ratio = (distribution.log_prob(places) - before).exp()
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    objective = torch.min(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
    return (values - returns).square().mean() / 2 - objective - ENTROPY * distribution.entropy().mean()


def as_tensors(lists: dict[str, Any]) -> Lists:
    """Return the arrays of an observation as tensors."""
    return {name: torch.from_numpy(array) for name, array in lists.items() if name != "ids"}


def main(argv: Sequence[str] | None = None) -> None:
    """Run the example."""
    run("own_loop", learn, steps=300_000, argv=argv)
