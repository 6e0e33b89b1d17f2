"""The ceiling: the same search on the true table. No agent of a tournament: it sees what nobody may see.

What it scores tells how much there is left to gain by knowing more, and what seeing all cards is worth.
"""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.core.state import States
from tantra_envs.opponents.search import Search

ORACLE = "oracle"  # its name where it may play: in a match with `ceiling`


class Oracle(Search):
    """Search in one world, the true one, with the cards to come; every action is tried, and the best one is sure."""

    def __init__(self, game: Game, *, ceiling: bool) -> None:
        """Agents from files are made of a game alone: without the leave of a match, `ceiling`, there is none."""
        assert ceiling
        super().__init__(game, f"worlds=1,candidates={game.actions.size},beyond=0")
        self.name = ORACLE

    def _worlds(self, obs: Observation, rows: Actions, worlds: int, rng: np.random.Generator) -> States:
        """The tables themselves, which an observation keeps from every honest agent."""
        return np.repeat(obs._Observation__states[obs._Observation__rows[rows]], worlds)  # type: ignore[attr-defined]
