"""Labels of policies over described actions, described once: every epoch goes through them again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch

from agents.descriptions import described
from agents.network_spec import Observations
from tantra_envs.core.game import Game

from .label_shards import Labels
from .progress import progress_bar

AT_ONCE = 4096  # positions


class Described(NamedTuple):
    """The actions of k positions, one after the other: positions and ids (n,), inputs (n, width)."""

    positions: int
    rows: torch.Tensor
    actions: torch.Tensor
    inputs: torch.Tensor


@dataclass(frozen=True)
class DescribedLabels:
    """The actions of all positions: those of position i are first[i] .. first[i + 1] - 1."""

    first: np.ndarray
    actions: np.ndarray
    inputs: np.ndarray

    def __getitem__(self, rows: np.ndarray) -> Described:
        """Those of some positions, in their order."""
        counts = self.first[rows + 1] - self.first[rows]
        every = np.repeat(np.arange(len(rows)), counts)
        behind = np.arange(len(every)) - np.repeat(np.cumsum(counts) - counts, counts)
        where = self.first[rows][every] + behind
        return _tensors(len(rows), every, self.actions[where], self.inputs[where])


def describe_labels(policy: str, game: Game, labels: Labels) -> DescribedLabels:
    """What a policy over described actions is given at every position."""
    parts = []
    with progress_bar("describing", len(labels), 0) as advance:
        for begin in range(0, len(labels), AT_ONCE):
            seen = game.view.to_float(labels.observations[begin : begin + AT_ONCE])
            rows, actions, inputs, _ = described(policy, game, seen)
            parts.append((np.bincount(rows, minlength=len(seen)), actions, inputs))
            advance(begin + len(seen), "")
    counts, actions, inputs = (np.concatenate(column) for column in zip(*parts, strict=True))
    return DescribedLabels(np.concatenate([[0], np.cumsum(counts)]), actions, inputs)


def describe(policy: str, game: Game, views: Observations) -> Described:
    """The actions of some positions, from what seats see."""
    return _tensors(len(views), *described(policy, game, views)[:3])


def _tensors(positions: int, rows: np.ndarray, actions: np.ndarray, inputs: np.ndarray) -> Described:
    return Described(positions, *map(torch.from_numpy, (rows, actions, inputs)))
