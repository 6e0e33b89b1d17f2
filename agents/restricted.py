"""Ablations: `search:64,without=buying` searches as `search:64` does, but never buys.

Several are joined by `+`: `search:64,without=buying+selling`. `games/<game>/measures/ablations.py` names them. The
actions that go are gone for the agent's own choice alone: others are still thought to have them, and in the playouts of
a search so is the agent itself. Where nothing else is legal they stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tantra_envs import ablations
from tantra_envs.ablations import Ablation
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Agent, Observation

from . import origin

Mask = npt.NDArray[np.int8]


class Restricted:
    """Plays as `agent` would if its game had fewer legal actions; ValueError for an unknown ablation."""

    def __init__(self, agent: Agent, game: Game, without: Sequence[str]) -> None:
        available = ablations.of_game(game)
        for name in without:
            if name not in available:
                allowed = ", ".join(available) or "nothing"
                raise ValueError(f"{game.name}: {agent.name} without={name} is not allowed; allowed: {allowed}")
        self.name = f"{agent.name}{',' if ':' in agent.name else ':'}without={'+'.join(without)}"
        self.origin = {**origin(agent), "without": list(without)}
        self.remembers = getattr(agent, "remembers", False)  # a search that needs the past is still given it
        self._agent, self._given_up = agent, [available[name] for name in without]

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The agent's actions; ValueError if it does not keep to what it is left."""
        left = narrowed(obs, self._given_up)
        chosen = np.array(self._agent.act(left, rng))
        forced = left.action_mask.sum(axis=1) == 1  # a player may have known this from the phase, and not looked
        chosen[forced] = left.action_mask[forced].argmax(axis=1)
        if not left.action_mask[np.arange(len(left)), chosen].all():
            raise ValueError(f"agent {self.name!r} chose what it has given up")
        return chosen


def narrowed(obs: Observation, given_up: Sequence[Ablation]) -> Observation:
    """The same tables without the actions of some ablations, where others are left."""
    for ablation in given_up:
        left = obs.action_mask * ~ablation.taking(obs)
        mask = np.where(left.any(axis=1, keepdims=True), left, obs.action_mask)
        obs = cast(Observation, _Narrowed(obs, mask))
    return obs


class _Narrowed:
    """An observation of the same tables with a mask of its own; the rest is that of `obs`."""

    def __init__(self, obs: Observation, mask: Mask) -> None:
        self._obs, self.action_mask = obs, mask

    def __len__(self) -> int:
        return len(self._obs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # only what agents may use
            raise AttributeError(name)
        return getattr(self._obs, name)

    def action_names(self, k: int) -> dict[int, str]:
        """Return the actions that are left at table `k`, in the player's words."""
        names = self._obs.action_names(k)
        return {action: name for action, name in names.items() if self.action_mask[k, action]}
