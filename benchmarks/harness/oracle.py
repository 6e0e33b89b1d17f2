"""The ceiling: the same search on the true table. No agent of a tournament: it sees what nobody may see.

What it scores tells how much there is left to gain by knowing more, and what seeing all cards is worth.
"""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.core.past import Past
from tantra_envs.core.state import States
from tantra_envs.opponents.search import Search

ORACLE = "oracle"  # its name where it may play: in a match with `ceiling`


class OpenObservation(Observation):
    """An observation that also holds the tables themselves, `tables` (k,), for `play_tables(observation=)`."""

    def __init__(self, game: Game, states: States, rows: Actions, past: Past | None = None) -> None:
        super().__init__(game, states, rows, past)
        self.tables = states[rows]


class Oracle(Search):
    """Search in one world, the true one, with the cards to come; every action is tried, and the best one is sure."""

    def __init__(self, game: Game, *, ceiling: bool) -> None:
        """Agents from files are made of a game alone: without the leave of a match, `ceiling`, there is none."""
        assert ceiling
        super().__init__(game, f"samples=1,candidates={game.actions.size},margin=0")
        self.name = ORACLE

    def _sample(self, obs: Observation, rows: Actions, samples: int, rng: np.random.Generator) -> States:
        """Return the tables themselves, which other observations do not hold."""
        assert isinstance(obs, OpenObservation)
        return np.repeat(obs.tables[rows], samples)
