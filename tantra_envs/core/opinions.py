"""Agents' ratings of their actions, which replays and hints show: an agent that gives them is an `Adviser`.

Search agents return the results of their playouts. Trained agents return probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from .asking import failures_of
from .game import Game
from .observation import Actions, Agent, Observation
from .past import Past
from .state import States

SHARES = ("win", "share")  # how the unit of values begins that are chances
CLEAR = 2.0  # standard errors of a loss that chance does not explain
MISTAKE, BLUNDER = 0.05, 0.15  # least losses of these names


class Opinion(NamedTuple):
    """An agent's ratings of the actions at one table."""

    worth: str  # unit of the numbers, for example "probability"
    values: dict[int, float]  # by action; larger is better
    errors: dict[int, float]  # standard errors by action, for values that are estimates
    choice: int | None = None  # the best action, if the agent does not choose by the values alone

    @property
    def best(self) -> int:
        """The action that the agent prefers."""
        return max(self.values, key=self.values.__getitem__) if self.choice is None else self.choice

    @property
    def is_share(self) -> bool:
        """Whether the values are chances: win probabilities, or shares of the opponents beaten."""
        return bool(self.values) and self.worth.startswith(SHARES)

    def loss(self, action: int) -> tuple[float, float]:
        """Return how far the value of an action is below that of the best one, and its standard error.

        Both are 0 for an action without a value, and for one that has no lower value.
        """
        if self.values.get(action, math.inf) >= self.values[self.best]:
            return 0.0, 0.0
        error = math.hypot(self.errors.get(self.best, 0.0), self.errors.get(action, 0.0))
        return self.values[self.best] - self.values[action], error

    def mark(self, action: int) -> str:
        """Return the mark of an action as in chess: "?" for a mistake, "??" for a blunder, "" for others.

        Only a loss of chances is marked, and only if it is larger than chance explains.
        """
        loss, error = self.loss(action) if self.is_share else (0.0, 0.0)
        if loss < max(MISTAKE, CLEAR * error):
            return ""
        return "?" if loss < BLUNDER else "??"


@runtime_checkable
class Adviser(Agent, Protocol):
    """An agent that rates the actions that it chooses from."""

    def weigh(self, obs: Observation, rng: np.random.Generator) -> tuple[Actions, list[Opinion | None]]:
        """Return the actions that `act` returns for this `rng`, (k,), and an Opinion or None for every table."""
        ...


def opinions_on(
    game: Game, start: States, actions: Sequence[int], agents: Sequence[Agent | None], seed: int = 0
) -> dict[int, Opinion]:
    """Return the opinion of the deciding seat's agent on every action of a recorded game, by number of the action.

    Args:
        game: The game.
        start: The first position, shape (1,).
        actions: The actions of the game.
        agents: One agent for each seat, or None. They need not have played the game.
        seed: Seed of the agents' random numbers.
    """
    state, opinions, past = start.copy(), {}, Past(game, 1)
    for ply, action in enumerate(actions):
        agent = agents[state["seat"][0]]
        if isinstance(agent, Adviser):
            with failures_of(agent.name):
                _, (opinion,) = agent.weigh(Observation(game, state, past=past), np.random.default_rng((seed, ply)))
            if opinion:
                opinions[ply] = opinion
        past.note(state, np.zeros(1, np.int64), np.array([action]))
        game.apply_action(state, int(action))
    return opinions
