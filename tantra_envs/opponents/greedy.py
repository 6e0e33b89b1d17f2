"""Greedy: tries every legal action on an imagined copy of the table and takes the one that looks best after it.

It looks one action ahead and no further: what the others will answer does not enter. What a seat cannot know is
drawn once for every decision and is the same for all actions compared, so that luck does not choose between them.
How good a table looks is one short function per game, `worth` in its `player.py`.
"""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Sight


class Greedy:
    """One ply of look-ahead with the game's own `worth`."""

    def __init__(self, game: Game) -> None:
        self.name = "greedy"
        self._worth = game.scripted.worth

    def act(self, sight: Sight, rng: np.random.Generator) -> Actions:
        """The action after which the own seat sees the most worth; of equal ones a random one."""
        tables, actions = np.nonzero(sight.masks)
        after = sight.imagine(1, rng)[tables]
        every, seats = np.arange(len(after)), sight.seats[tables]
        sight.game.drivers.apply_rows(after, every, actions)
        views = np.empty((len(after), sight.game.view.size), np.float32)
        sight.game.drivers.see_rows(after, every, seats, views, np.empty((len(after), sight.masks.shape[1]), np.int8))
        worth = self._worth(sight.game, views) + rng.random(len(after)) * 1e-6
        table = np.full(sight.masks.shape, -np.inf)
        table[tables, actions] = worth
        return table.argmax(axis=1)
