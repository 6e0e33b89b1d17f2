"""What agents think of the actions they choose from: shown in replays, told as hints.

An agent that can tell has, beside `act(obs, rng)`,

    weigh(obs, rng)    the actions of `act`, by the same chance, and for every table an Opinion, or None

as search does (what its playouts came to) and learned players do (probabilities).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .core.game import Game
from .core.observation import Actions, Agent, Observation
from .core.past import Past
from .core.state import States


class Opinion(NamedTuple):
    """What an agent thought at one table."""

    worth: str  # what the numbers are: "probability"
    values: dict[int, float]  # by action; the more the better
    errors: dict[int, float]  # standard errors of those that are estimates, by action


class Thinker:
    """An agent that plays as `agent` does and notes what it thought: `opinions` of its last decisions, by table."""

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self.opinions: list[Opinion | None] = []
        self._agent = agent

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The agent's actions."""
        weigh = getattr(self._agent, "weigh", None)
        if weigh is None:
            self.opinions = [None] * len(obs)
            return self._agent.act(obs, rng)
        actions, self.opinions = weigh(obs, rng)
        return np.asarray(actions)


def opinions_on(
    game: Game, start: States, actions: Sequence[int], agents: Sequence[Agent | None], seed: int = 0
) -> dict[int, Opinion]:
    """What the agent at the seat that decides thinks at every ply of a game that was played, where one can tell.

    `agents` has one for each seat, or None. An agent need not have played the game: it says what it thinks now.
    """
    thinkers = [agent and Thinker(agent) for agent in agents]
    state, told, past = start.copy(), {}, Past(game, 1)
    for ply, action in enumerate(actions):
        thinker = thinkers[state["seat"][0]]
        if thinker and hasattr(agents[state["seat"][0]], "weigh"):
            thinker.act(Observation(game, state, past=past), np.random.default_rng((seed, ply)))
            (opinion,) = thinker.opinions
            if opinion:
                told[ply] = opinion
        past.note(state, np.zeros(1, np.int64), np.array([action]))
        game.apply_action(state, int(action))
    return told
