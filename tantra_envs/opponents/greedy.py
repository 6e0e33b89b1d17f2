"""Greedy: tries every legal action on an imagined copy of the table and takes the one that looks best after it.

It looks one action ahead and no further: what the others will answer does not enter. What a seat cannot know is
drawn once for every decision and is the same for all actions compared, so that luck does not choose between them.
How good a table looks is one short function per game, `worth` in its `scripted.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation
from ..core.state import States


class Greedy:
    """One ply of look-ahead with the game's own `worth`."""

    def __init__(self, game: Game) -> None:
        self.name = "greedy"
        self._worth = game.scripted.worth

    def act(self, obs: Observation, rng: np.random.Generator) -> Actions:
        """The action after which the own seat sees the most worth; of equal ones a random one."""
        tables, actions = np.nonzero(obs.action_mask)
        after = obs.determinize(1, rng).take(tables)  # records whole, faster than by an index
        obs.game.drivers.apply_rows(after, np.arange(len(after)), np.ascontiguousarray(actions))
        worth = self._worth(obs.game, _looked_at(obs.game, after, obs.seat[tables]))
        worth += obs.random(rng, obs.action_mask.sum(axis=1)) * 1e-6
        table = np.full(obs.action_mask.shape, -np.inf)
        table[tables, actions] = worth
        chosen: Actions = table.argmax(axis=1)
        return chosen


def _looked_at(game: Game, states: States, seats: Actions) -> Any:
    """Return what seats (k,) know of tables (k,)."""
    if game.drivers.conceal_rows is not None:
        return game.conceal(states, seats)
    narrow = np.empty((len(states), game.view.size), game.view.dtype)
    masks = np.empty((len(states), game.actions.size), np.int8)
    game.drivers.observe_rows(states, np.arange(len(states)), seats, narrow, masks)
    return game.view.to_float(narrow)
