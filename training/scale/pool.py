"""The pool of opponents: named agents and snapshots of the learner, drawn for every game, one for each team."""

from __future__ import annotations

import copy
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from torch import nn

from agents.networks import Snapshot
from tantra_envs.core.game import Teams
from tantra_envs.core.observation import Actions, Agent
from tantra_envs.opponents.network_spec import MLP, NetworkSpec


class OpponentPool:
    """An `OpponentSampler` over `named` agents and up to `size` snapshots of the learner.

    A table keeps its agents until its game ends. So a snapshot that new games no longer draw stays in `agents` as long
    as a table plays with it, and its place is used again after that.

    Args:
        named: The named agents.
        size: Largest number of snapshots to draw from.
        self_play: Share of the seats that snapshots take.
        teams: Seats of each team, which get one agent; () = every seat is drawn separately.
        spec: The networks of the snapshots.
    """

    def __init__(
        self, named: Sequence[Agent], size: int, self_play: float, teams: Teams = (), spec: NetworkSpec = MLP
    ) -> None:
        self.named = list(named)
        self._size = size
        self._self_play = self_play if named else 1.0
        self._teams = teams
        self._spec = spec
        self._places: list[Snapshot] = []  # the snapshots that indices refer to
        self._drawn: list[int] = []  # the places that new games draw from

    @property
    def agents(self) -> list[Agent]:
        """The named agents, then the snapshots that play or may be drawn."""
        return [*self.named, *self._places]

    @property
    def snapshots(self) -> list[Snapshot]:
        """The snapshots that new games draw."""
        return [self._places[place] for place in self._drawn]

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Actions:
        """Draw the index of an agent for every seat, shape (tables, players)."""
        share = self._self_play if self._drawn else 0.0
        named = rng.integers(max(len(self.named), 1), size=(tables, players))
        places = np.array(self._drawn or [0])
        past = len(self.named) + places[rng.integers(len(places), size=(tables, players))]
        drawn = np.where(rng.random((tables, players)) < share, past, named)
        for team in self._teams:
            drawn[:, team] = drawn[:, team[:1]]
        return drawn

    def add_snapshot(self, actor: nn.Module, rng: np.random.Generator, in_play: Collection[int]) -> None:
        """Draw a copy of the learner's network for new games. In a full pool it replaces a random snapshot there.

        `in_play` contains the indices of the agents at tables in play: see `SeatVectorEnv.opponents_in_play`.
        """
        snapshots, now = self.snapshots, Snapshot("snapshot", copy.deepcopy(actor), self._spec)
        if len(snapshots) < self._size:
            snapshots.append(now)
        elif self._size:
            snapshots[int(rng.integers(self._size))] = now
        self.set_snapshots(snapshots, in_play)

    def set_snapshots(self, snapshots: Sequence[Snapshot], in_play: Collection[int]) -> None:
        """Draw these snapshots for new games. The indices `in_play` keep their agents."""
        first = len(self.named)
        free = [i for i, one in enumerate(self._places) if first + i not in in_play and one not in snapshots]
        self._drawn = []
        for snapshot in snapshots:
            if snapshot in self._places:
                place = self._places.index(snapshot)
            elif free:
                place = free.pop(0)
                self._places[place] = snapshot
            else:
                place = len(self._places)
                self._places.append(snapshot)
            self._drawn.append(place)

    def state(self) -> dict[str, Any]:
        """Return the weights of the snapshots and the places to draw from, from which `restore` continues."""
        return {"weights": [snapshot.actor.state_dict() for snapshot in self._places], "drawn": self._drawn}

    def restore(self, actor: nn.Module, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned. `actor` is a network of the same architecture."""
        self._places, self._drawn = [], state["drawn"]
        for weights in state["weights"]:
            self._places.append(Snapshot("snapshot", copy.deepcopy(actor), self._spec))
            self._places[-1].actor.load_state_dict(weights)
