"""The pool of opponents: named agents and snapshots of the learner, drawn for every game, one for each team."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
from torch import nn

from agents.networks import TorchAgent
from tantra_envs.core.game import Teams
from tantra_envs.core.observation import Actions, Agent, Observation
from tantra_envs.opponents.network_spec import MLP, NetworkSpec
from tantra_envs.opponents.networks import sampled


class Snapshot(TorchAgent):
    """The learner at an earlier time, which draws actions from its distribution."""

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Draw actions from the distribution."""
        return sampled(self.logits(obs), rng)


class OpponentPool:
    """An `OpponentSampler` over `named` agents and up to `size` snapshots of the learner.

    Args:
        named: The named agents.
        size: Largest number of snapshots.
        self_play: Share of the seats that snapshots take.
        teams: Seats of each team, which get one agent; () = every seat is drawn separately.
        spec: The networks of the snapshots.
    """

    def __init__(
        self, named: Sequence[Agent], size: int, self_play: float, teams: Teams = (), spec: NetworkSpec = MLP
    ) -> None:
        self.named = list(named)
        self.snapshots: list[Snapshot] = []
        self._size = size
        self._self_play = self_play if named else 1.0
        self._teams = teams
        self._spec = spec

    @property
    def agents(self) -> list[Agent]:
        """The named agents, then the snapshots."""
        return [*self.named, *self.snapshots]

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Actions:
        """Draw the index of an agent for every seat, shape (tables, players)."""
        share = self._self_play if self.snapshots else 0.0
        named = rng.integers(max(len(self.named), 1), size=(tables, players))
        past = len(self.named) + rng.integers(max(len(self.snapshots), 1), size=(tables, players))
        drawn = np.where(rng.random((tables, players)) < share, past, named)
        for team in self._teams:
            drawn[:, team] = drawn[:, team[:1]]
        return drawn

    def add_snapshot(self, actor: nn.Module, rng: np.random.Generator) -> None:
        """Keep a copy of the learner's network. In a full pool it replaces a random snapshot."""
        now = Snapshot("snapshot", copy.deepcopy(actor), self._spec)
        if len(self.snapshots) < self._size:
            self.snapshots.append(now)
        elif self._size:
            self.snapshots[int(rng.integers(self._size))] = now
