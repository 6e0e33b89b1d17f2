"""A policy that scores every placement by its features, with the same weights for all of them.

The number of a space on the border has no lasting meaning, so a network over the whole observation can learn little
from it. Here each placement is put into features first (placement_features.py); a small network scores one placement
at a time, and the value of a table comes from its own few numbers and the best of what can be done there.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from tantra_envs.core.game import Game

from .placement_features import FEATURES, TABLE, placements

NO_PLACEMENT = -1e8  # the logit of an action that stands for nothing


class PlacementFeatures(nn.Module):
    """Observations to placements: which table and action each belongs to, and its features with those of its table."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """Tables and actions (n,), features (n, FEATURES + TABLE); features of the tables (k, TABLE)."""
        rows, actions, features, table = placements(self.game, observations.detach().numpy())
        row, of_table = torch.from_numpy(rows), torch.from_numpy(table)
        return row, torch.from_numpy(actions), torch.cat([torch.from_numpy(features), of_table[row]], 1), of_table


class PlacementLogits(nn.Module):
    """Observations (k, view.size) to logits (k, actions.size)."""

    def __init__(self, described: PlacementFeatures, widths: list[int]) -> None:
        super().__init__()
        self.described = described
        self.score = nn.Sequential(*_layers([FEATURES + TABLE, *widths]), nn.Linear(widths[-1], 1))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """A logit for every action."""
        return self.logits(len(observations), *self.described(observations)[:3])

    def logits(self, tables: int, rows: torch.Tensor, actions: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """The scores in their places."""
        logits = torch.full((tables, self.described.game.actions.size), NO_PLACEMENT)
        return logits.index_put((rows, actions), self.score(features).squeeze(1))


class PlacementValue(nn.Module):
    """The features of tables and the best of each feature of their placements, to what the value is made of."""

    def __init__(self, widths: list[int]) -> None:
        super().__init__()
        self.layers = nn.Sequential(*_layers([FEATURES + 2 * TABLE, *widths]))

    def forward(self, rows: torch.Tensor, features: torch.Tensor, table: torch.Tensor) -> torch.Tensor:
        """Shape (k, last width)."""
        best = torch.zeros(len(table), features.shape[1])
        index = rows[:, None].expand_as(features)
        best = best.scatter_reduce(0, index, features, "amax", include_self=False)
        return torch.as_tensor(self.layers(torch.cat([best, table], 1)))


class PlacementExtractor(nn.Module):
    """What MaskableActorCriticPolicy calls the MLP extractor: logits for the actor, hidden values for the critic."""

    def __init__(self, game: Game, widths: list[int]) -> None:
        super().__init__()
        self.described = PlacementFeatures(game)
        self.policy_net = PlacementLogits(self.described, widths)
        self.value_net = PlacementValue(widths)

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


class PlacementPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy over placements; `game` is the Tantrix that is played, `net_arch` the hidden layers."""

    def __init__(self, *arguments: Any, game: Game, **named: Any) -> None:
        self.game = game
        super().__init__(*arguments, **named)

    def _build(self, lr_schedule: Any) -> None:
        widths: list[int] = list(self.net_arch)  # type: ignore[arg-type]
        self.mlp_extractor = PlacementExtractor(self.game, widths)  # type: ignore[assignment]
        self.action_net = nn.Identity()
        self.value_net = nn.Linear(widths[-1], 1)
        rate: Any = {"lr": lr_schedule(1), **self.optimizer_kwargs}
        self.optimizer = self.optimizer_class(self.parameters(), **rate)


def _layers(widths: list[int]) -> list[nn.Module]:
    layers: list[nn.Module] = []
    for one, other in pairwise(widths):
        layers += [nn.Linear(one, other), nn.Tanh()]
    return layers
