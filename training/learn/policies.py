"""Policies in torch during a fit: inputs, networks with a second head for values, and their objectives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from agents.networks import FeatureLogits
from tantra_envs.core.game import Game
from tantra_envs.opponents.network_spec import NetworkSpec
from tantra_envs.opponents.networks import feature_inputs

from ..progress import progress_bar
from .label_files import Labels, decode

AT_ONCE = 4096  # positions whose action features are computed in one call
ILLEGAL = -1e4  # logit of an illegal action; infinite logits would give differences that are not numbers


class Features(NamedTuple):
    """The features of the actions of k positions: positions and action ids (n,), inputs (n, width)."""

    positions: int
    rows: torch.Tensor
    actions: torch.Tensor
    inputs: torch.Tensor


@dataclass(frozen=True)
class FeatureTable:
    """The features of all labelled positions, computed once for all epochs.

    The features of position i are the rows first[i] to first[i + 1] - 1.
    """

    first: np.ndarray
    actions: np.ndarray
    inputs: np.ndarray

    def __getitem__(self, rows: np.ndarray) -> Features:
        """Return the features of some positions, in their order."""
        counts = self.first[rows + 1] - self.first[rows]
        positions = np.repeat(np.arange(len(rows)), counts)
        offsets = np.arange(len(positions)) - np.repeat(np.cumsum(counts) - counts, counts)
        where = self.first[rows][positions] + offsets
        return _tensors(len(rows), positions, self.actions[where], self.inputs[where])


def feature_table(spec: NetworkSpec, game: Game, labels: Labels) -> FeatureTable:
    """Compute the features of the actions at every labelled position."""
    parts = []
    with progress_bar("features", len(labels), 0) as advance:
        for begin in range(0, len(labels), AT_ONCE):
            tables = decode(spec.policy, game, labels.inputs[begin : begin + AT_ONCE])
            rows, actions, inputs, _ = feature_inputs(game, tables)
            parts.append((np.bincount(rows, minlength=len(tables)), actions, inputs))
            advance(begin + len(tables), "")
    counts, actions, inputs = (np.concatenate(column) for column in zip(*parts, strict=True))
    return FeatureTable(np.concatenate([[0], np.cumsum(counts)]), actions, inputs)


def network_inputs(spec: NetworkSpec, game: Game, inputs: Any) -> torch.Tensor | Features:
    """Return the inputs of a policy at k tables (see `policy_inputs`) as tensors."""
    if spec.policy == "mlp":
        return torch.from_numpy(inputs)
    return _tensors(len(inputs), *feature_inputs(game, inputs)[:3])


def _tensors(positions: int, rows: np.ndarray, actions: np.ndarray, inputs: np.ndarray) -> Features:
    return Features(positions, torch.from_numpy(rows), torch.from_numpy(actions), torch.from_numpy(inputs))


class MLPPolicy(nn.Module):
    """A network over observations, and a second head over its last hidden layer for the values of actions."""

    def __init__(self, actor: nn.Sequential) -> None:
        super().__init__()
        self.actor = actor
        last: Any = actor[2]
        self.values = nn.Linear(last.in_features, last.out_features)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values of all actions, (k, actions) each."""
        hidden = self.actor[1](self.actor[0](inputs))
        return self.actor[2](hidden), self.values(hidden)


class FeaturePolicy(nn.Module):
    """A network over the features of each action, and a second one for the values of actions."""

    def __init__(self, actor: nn.Sequential, game: Game, widths: Sequence[int]) -> None:
        super().__init__()
        self.actor = actor
        self.values = FeatureLogits(game, list(widths))

    def forward(self, inputs: Features) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values of all actions, (k, actions) each."""
        chooser: Any = self.actor[1]
        return chooser.logits(*inputs), self.values.logits(*inputs)


def with_value_head(spec: NetworkSpec, game: Game, actor: nn.Sequential) -> MLPPolicy | FeaturePolicy:
    """Return the actor with a second head."""
    return MLPPolicy(actor) if spec.policy == "mlp" else FeaturePolicy(actor, game, spec.widths(game))


@dataclass(frozen=True)
class Batch:
    """Labels as tensors: legal (k, actions), actions and values (k, c), and which of these are labels (k, c)."""

    inputs: torch.Tensor | Features
    legal: torch.Tensor
    actions: torch.Tensor
    values: torch.Tensor
    labelled: torch.Tensor

    def expected_advantage(self, logits: torch.Tensor) -> torch.Tensor:
        """Return the mean advantage over the base policy's action, weighted by the policy's probabilities."""
        advantages = (self.values - self.values[:, :1]).masked_fill(~self.labelled, 0)
        return (self._log_probabilities(logits).exp().gather(1, self.actions) * advantages).sum(1).mean()

    def divergence(self, logits: torch.Tensor, before: torch.Tensor) -> torch.Tensor:
        """Return the mean KL divergence of the policy from the policy of the logits `before`."""
        log_probabilities = self._log_probabilities(logits)
        return (log_probabilities.exp() * (log_probabilities - self._log_probabilities(before))).sum(1).mean()

    def difference_error(self, logits: torch.Tensor) -> torch.Tensor:
        """Return the mean squared error of the logits as values, after centring both at every position."""
        errors = (logits.gather(1, self.actions) - self.values).masked_fill(~self.labelled, 0)
        mean = errors.sum(1, keepdim=True) / self.labelled.sum(1, keepdim=True)
        return (errors - mean)[self.labelled].square().mean()

    def value_error(self, values: torch.Tensor) -> torch.Tensor:
        """Return the mean squared error of the second head."""
        error: torch.Tensor = (values.gather(1, self.actions) - self.values)[self.labelled].square().mean()
        return error

    def advantages(self, logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the advantage of the most likely labelled action, (k,), and its place among the labels, (k,)."""
        logits = logits.gather(1, self.actions).masked_fill(~self.labelled, -torch.inf)
        chosen = logits.argmax(1, keepdim=True)
        return (self.values.gather(1, chosen) - self.values[:, :1]).squeeze(1), chosen.squeeze(1)

    def _log_probabilities(self, logits: torch.Tensor) -> torch.Tensor:
        return logits.masked_fill(~self.legal, ILLEGAL).log_softmax(1)
