"""Ablations: `search:64,without=buying` searches as `search:64` does, but never buys.

Several ablations are joined by `+`: `search:64,without=buying+selling`. A game defines its ablations in
`games/<game>/measures/ablations.py`. The removed actions are only removed from the agent's own decisions. In the
playouts of a search all seats keep them, also the agent's own. Where no other action is legal the agent keeps them too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from .. import ablations
from ..ablations import Ablation
from ..core.asking import AgentError, answer_of
from ..core.game import Game
from ..core.observation import Actions, Agent, Observation
from .loading import origin

Mask = npt.NDArray[np.int8]


class Restricted:
    """An agent that plays like `agent` in a game with fewer legal actions.

    Raises:
        ValueError: The ablation is unknown.
    """

    def __init__(self, agent: Agent, game: Game, without: Sequence[str]) -> None:
        available = ablations.of_game(game)
        for name in without:
            if name not in available:
                allowed = ", ".join(available) or "nothing"
                raise ValueError(f"{game.name}: {agent.name} without={name} is not allowed; allowed: {allowed}")
        self.name = f"{agent.name}{',' if ':' in agent.name else ':'}without={'+'.join(without)}"
        self.origin = {**origin(agent), "without": list(without)}
        self.remembers = getattr(agent, "remembers", False)  # a search that uses past actions must still get them
        self.agent, self._given_up = agent, [available[name] for name in without]

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the agent's actions, shape (k,).

        Raises:
            AgentError: The agent failed or chose a removed action.
        """
        left = narrowed(obs, self._given_up)
        chosen = answer_of(self.agent, left, rng)
        forced = left.action_mask.sum(axis=1) == 1  # an agent can infer it from the phase and ignore the mask
        chosen[forced] = left.action_mask[forced].argmax(axis=1)
        inside = (chosen >= 0) & (chosen < left.action_mask.shape[1])  # the caller refuses other numbers
        if inside.all() and not left.action_mask[np.arange(len(left)), chosen].all():
            raise AgentError(f"agent {self.name!r} chose a removed action; it must choose from obs.action_mask")
        return chosen


def narrowed(obs: Observation, given_up: Sequence[Ablation]) -> Observation:
    """Return the observation without the actions of some ablations, where other actions are left."""
    for ablation in given_up:
        left = obs.action_mask * ~ablation.taking(obs)
        mask = np.where(left.any(axis=1, keepdims=True), left, obs.action_mask)
        obs = cast(Observation, _Narrowed(obs, mask))
    return obs


class _Narrowed:
    """An observation with another mask. All its other attributes are those of `obs`."""

    def __init__(self, obs: Observation, mask: Mask) -> None:
        self._obs, self.action_mask = obs, mask

    def __len__(self) -> int:
        return len(self._obs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # agents only use public attributes
            raise AttributeError(name)
        return getattr(self._obs, name)

    def action_names(self, k: int) -> dict[int, str]:
        """Return the names of the remaining legal actions at table `k`."""
        names = self._obs.action_names(k)
        return {action: name for action, name in names.items() if self.action_mask[k, action]}
