"""Tables as environments of RLCard, for its own agents and training loops, and its agents at our tables."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import numpy as np
from rlcard.envs import Env

from ..core.game import Game
from ..core.observation import Actions, Observation


class RLCardTable(Env):
    """A table with RLCard's interface: `reset`, `step`, `run`, `get_state`, `get_payoffs`, one state for each seat.

    The payoff of a seat is the sum of its rewards. An illegal action raises ValueError.
    """

    def __init__(self, game: Game, seed: int | None = None) -> None:
        self.name, self.rules = game.id, game
        self.game = self  # RLCard's `run` asks it whether the game is over
        self.num_players, self.num_actions = game.players, game.actions.size
        self.state_shape = [[game.view.size]] * game.players
        self.action_shape = [[game.actions.size]] * game.players
        self.agents: list[Any] = []
        self.timestep = 0
        self.seed(seed)

    def seed(self, seed: int | None = None) -> None:
        """Set the seed of all later deals."""
        self._rng = np.random.default_rng(seed)

    def reset(self) -> tuple[dict[str, Any], int]:
        """Deal a game; return the state of the seat to decide, and the seat."""
        self.table = self.rules.new(int(self._rng.integers((1 << 31) - 1)))
        self._payoffs = np.zeros(self.num_players)
        return self.get_state(self.get_player_id()), self.get_player_id()

    def step(self, action: int, raw_action: bool = False) -> tuple[dict[str, Any], int]:
        """Play an action; return the state of the next seat to decide, and the seat."""
        self.rules.apply_action(self.table, action)
        self._payoffs += self.table["rewards"][0, : self.num_players]
        self.timestep += 1
        return self.get_state(self.get_player_id()), self.get_player_id()

    def get_state(self, player_id: int) -> dict[str, Any]:
        """Return what a seat sees, with its legal actions if it is the seat to decide."""
        deciding = player_id == self.get_player_id() and not self.is_over()
        legal = self.rules.legal(self.table) if deciding else []
        return state_of(self.rules.observation(self.table, player_id), legal)

    def is_over(self) -> bool:
        """Return whether the game is over."""
        return bool(self.table["over"][0])

    def get_player_id(self) -> int:
        """Return the seat to decide."""
        return int(self.table["seat"][0])

    def get_payoffs(self) -> Any:
        """Return the payoff of every seat, (players,)."""
        return self._payoffs.copy()

    def get_perfect_information(self) -> dict[str, Any]:
        """Return the position with all cards, see `Game.position`."""
        return dict(self.rules.position(self.table, full=True))

    def get_action_feature(self, action: int) -> Any:
        """Return a one-hot vector of the action, (actions.size,)."""
        return np.eye(1, self.num_actions, action)[0]


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
