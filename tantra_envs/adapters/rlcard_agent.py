"""RLCard agents at our tables. They get the dict that RLCard uses, one table at a time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.observation import Actions, Observation


class RLCardAgent:
    """An agent with the decisions of any object that has `eval_step(state)`.

    `eval_step` returns an action, or a tuple that starts with an action.
    """

    def __init__(self, agent: Any, name: str) -> None:
        self.name = name
        self._agent = agent

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return an action for every table, shape (k,)."""
        return np.array([self._decide(obs, k) for k in range(len(obs))], np.int64)

    def _decide(self, obs: Observation, k: int) -> int:
        legal = np.flatnonzero(obs.action_mask[k]).tolist()
        answer = self._agent.eval_step(state_of(obs.observation[k], legal))
        return int(answer[0] if isinstance(answer, tuple) else answer)


def state_of(view: Any, legal: Sequence[int]) -> dict[str, Any]:
    """Return an observation (view.size,) and its legal actions as the dict that RLCard uses."""
    actions = OrderedDict.fromkeys(legal)
    return {"obs": view, "legal_actions": actions, "raw_obs": view, "raw_legal_actions": list(legal)}
