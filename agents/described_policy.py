"""Policies over described actions in torch: a small network scores each by its features (descriptions.py)."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import nn

from tantra_envs.core.game import Game

from .descriptions import NO_ACTION, described, inputs_of


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


def _layers(widths: list[int]) -> list[nn.Module]:
    layers: list[nn.Module] = []
    for one, other in pairwise(widths):
        layers += [nn.Linear(one, other), nn.Tanh()]
    return layers
