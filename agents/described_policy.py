"""Policies over described actions in torch: a small network scores each by its features (descriptions.py).

The value of a table comes from its own few numbers and the best of what can be done there.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from tantra_envs.core.game import Game

from .descriptions import NO_ACTION, described, inputs_of, kind_of


class DescribedActions(nn.Module):
    """Observations to actions: which table and id each belongs to, and its features with those of its table."""

    def __init__(self, game: Game, policy: str) -> None:
        super().__init__()
        self.game, self.policy = game, policy

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """As `described` gives them."""
        rows, actions, inputs, table = map(
            torch.from_numpy, described(self.policy, self.game, observations.detach().numpy())
        )
        return rows, actions, inputs, table


class DescribedLogits(nn.Module):
    """Observations (k, view.size) to logits (k, actions.size)."""

    def __init__(self, described: DescribedActions, widths: list[int]) -> None:
        super().__init__()
        self.described = described
        self.score = nn.Sequential(
            *_layers([inputs_of(described.policy, described.game), *widths]), nn.Linear(widths[-1], 1)
        )

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """A logit for every action."""
        return self.logits(len(observations), *self.described(observations)[:3])

    def logits(self, tables: int, rows: torch.Tensor, actions: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """The scores in their places."""
        logits = torch.full((tables, self.described.game.actions.size), NO_ACTION)
        return logits.index_put((rows, actions), self.score(features).squeeze(1))


class DescribedValue(nn.Module):
    """The features of tables and the best of each feature of their actions, to what the value is made of."""

    def __init__(self, game: Game, policy: str, widths: list[int]) -> None:
        super().__init__()
        self.layers = nn.Sequential(*_layers([inputs_of(policy, game) + kind_of(policy, game).table, *widths]))

    def forward(self, rows: torch.Tensor, features: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        """Shape (k, last width)."""
        best = torch.zeros(len(table), features.shape[1])
        index = rows[:, None].expand_as(features)
        best = best.scatter_reduce(0, index, features, "amax", include_self=False)
        return torch.as_tensor(self.layers(torch.cat([best, table], 1)))


class DescribedExtractor(nn.Module):
    """What MaskableActorCriticPolicy calls the MLP extractor: logits for the actor, hidden values for the critic."""

    def __init__(self, game: Game, policy: str, widths: list[int]) -> None:
        super().__init__()
        self.described = DescribedActions(game, policy)
        self.policy_net = DescribedLogits(self.described, widths)
        self.value_net = DescribedValue(game, policy, widths)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both."""
        rows, actions, features, table = self.described(observations)
        return self.policy_net.logits(len(observations), rows, actions, features), self.value_net(rows, features, table)

    def forward_actor(self, observations: torch.Tensor) -> torch.Tensor:
        """The logits alone."""
        return torch.as_tensor(self.policy_net(observations))

    def forward_critic(self, observations: torch.Tensor) -> torch.Tensor:
        """The hidden values alone."""
        rows, _, features, table = self.described(observations)
        return torch.as_tensor(self.value_net(rows, features, table))


class DescribedPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy over the actions of `game`, by the features that `described` names, with `net_arch`."""

    def __init__(self, *arguments: Any, game: Game, described: str, **named: Any) -> None:
        self.game, self.described = game, described
        super().__init__(*arguments, **named)

    def _build(self, lr_schedule: Any) -> None:
        widths: list[int] = list(self.net_arch)  # type: ignore[arg-type]
        self.mlp_extractor = DescribedExtractor(self.game, self.described, widths)  # type: ignore[assignment]
        self.action_net = nn.Identity()
        self.value_net = nn.Linear(widths[-1], 1)
        rate: Any = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **rate)


def _layers(widths: list[int]) -> list[nn.Module]:
    layers: list[nn.Module] = []
    for one, other in pairwise(widths):
        layers += [nn.Linear(one, other), nn.Tanh()]
    return layers
