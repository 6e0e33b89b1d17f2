"""Who plays against the learner: named agents and past selves, mixed anew for every game, one for each team."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
import torch

from agents.checkpoint import NetPlayer
from tantra_envs.core.game import Teams
from tantra_envs.core.observation import Actions, Agent, Observation


class PastSelf(NetPlayer):
    """The learner as it was once, choosing by lot as it did then."""

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """An action drawn from its distribution: the largest of logits plus Gumbel noise."""
        logits = self.logits(obs)
        return (logits + rng.gumbel(size=logits.shape)).argmax(axis=1)


class Pool:
    """A line-up of `named` agents and up to `selves` past selves; these sit on the share `self_share` of the seats.

    The seats of one of the `teams` get the same agent; () = everyone plays for himself. Past selves are shown the
    scripted player's choice if `advice` says so.
    """

    def __init__(
        self, named: Sequence[Agent], selves: int, self_share: float, teams: Teams = (), advice: bool = False
    ) -> None:
        self.named = list(named)
        self.past: list[PastSelf] = []
        self._selves = selves
        self._self_share = self_share if named else 1.0
        self._teams = teams
        self._advice = advice

    @property
    def agents(self) -> list[Agent]:
        """The named ones, then the past selves."""
        return [*self.named, *self.past]

    def draw(self, tables: int, players: int, rng: np.random.Generator) -> Actions:
        """An agent for every seat, shape (tables, players)."""
        share = self._self_share if self.past else 0.0
        named = rng.integers(max(len(self.named), 1), size=(tables, players))
        past = len(self.named) + rng.integers(max(len(self.past), 1), size=(tables, players))
        drawn = np.where(rng.random((tables, players)) < share, past, named)
        for team in self._teams:
            drawn[:, team] = drawn[:, team[:1]]
        return drawn

    def remember(self, net: torch.nn.Module, rng: np.random.Generator) -> None:
        """Keep a copy of the learner's network as it is now; when all places are taken it replaces any other."""
        now = PastSelf("past self", copy.deepcopy(net), self._advice)
        if len(self.past) < self._selves:
            self.past.append(now)
        elif self._selves:
            self.past[int(rng.integers(self._selves))] = now
