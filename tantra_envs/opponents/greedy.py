"""Greedy: try every legal action in a sampled deal and play the one with the best position after it.

It looks one action ahead, without the answers of the others. For every decision it samples the hidden cards once. All
actions are compared in this sample, so luck does not choose between them. Each game rates positions with one short
function, `worth` in its `agents/scripted.py`.
"""

from __future__ import annotations

import numpy as np

from ..core.game import Game
from ..core.observation import Actions, Observation


class Greedy:
    """An agent that looks one action ahead with the game's `worth`."""

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
        chosen: Actions = table.argmax(axis=1)
        return chosen
