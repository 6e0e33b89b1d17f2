"""Agents without a search and without a network: scripted, greedy and uniform."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.observation import Actions, Observation
from ..core.playouts import chosen


class Scripted:
    """The scripted agent of `game`: the rules of thumb in its `agents/scripted.py`.

    One compiled call decides at all tables. It uses no random numbers.

    Raises:
        ValueError: The game has no scripted agent, or none for these options.
    """

    def __init__(self, game: Game) -> None:
        self.name = "scripted"
        self._game = game
        game.scripted.prepare(game)  # raises now, not at the first decision

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return its action at every table, shape (k,), even if the game of `obs` has another scripted agent."""
        return chosen(self._game, obs.known, obs.action_mask, self._game.scripted.prepare(self._game))

    def plays_in(self, game: Game) -> bool:
        """Return whether the drivers of `game` play like this agent, so that compiled loops can play for it."""
        return type(self) is Scripted and self._game.drivers is game.drivers


class Greedy:
    """An agent that tries every legal action in a sampled deal and plays the one with the best position after it.

    It looks one action ahead, without the answers of the others. For every decision it samples the hidden cards once.
    All actions are compared in this sample, so luck does not choose between them. Each game rates positions with one
    short function, `worth` in its `agents/scripted.py`.
    """

    def __init__(self, game: Game) -> None:
        self.name = "greedy"
        self._worth = game.scripted.worth

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return the action with the highest `worth` for its seat at every table, (k,). Ties are broken at random."""
        tables, actions = np.nonzero(obs.action_mask)
        after = obs.determinize(1, rng).take(tables)  # copies whole records, faster than an index
        obs.game.drivers.apply_rows(after, np.arange(len(after)), np.ascontiguousarray(actions))
        worth = self._worth(obs.game, obs.game.conceal(after, obs.seat[tables]))
        worth += obs.random(rng, obs.action_mask.sum(axis=1)) * 1e-6
        table = np.full(obs.action_mask.shape, -np.inf)
        table[tables, actions] = worth
        return np.asarray(table.argmax(axis=1))


class Uniform:
    """The random agent. All legal actions are equally likely."""

    def __init__(self, game: Game) -> None:
        self.name = "uniform"

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """Return a uniformly random legal action at every table, shape (k,)."""
        tables, actions = obs.action_mask.shape
        numbers = obs.random(rng, np.full(tables, actions)).reshape(tables, actions)
        return np.asarray((obs.action_mask * (1 - numbers)).argmax(axis=1))

    def probabilities(self, obs: Observation) -> npt.NDArray[np.float64]:
        """Return the probabilities of all actions at every table, shape (k, game.actions.size)."""
        return np.asarray(obs.action_mask / obs.action_mask.sum(axis=1, keepdims=True))
