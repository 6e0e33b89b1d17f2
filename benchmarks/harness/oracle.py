"""Open-card search: the search agent on the true table, which bounds the strength that search can reach.

It sees all cards, so it does not take part in tournaments. Its score shows how much full knowledge of the cards adds.
"""

from __future__ import annotations

import numpy as np

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Actions, Observation
from tantra_envs.core.past import Past
from tantra_envs.core.state import States
from tantra_envs.opponents.search import Search

ORACLE = "oracle"  # name of the agent, allowed only in a match with `ceiling`


class OpenObservation(Observation):
    """An observation that also holds the true tables, `tables` of shape (k,), and their numbers `rows`."""

    def __init__(self, game: Game, states: States, rows: Actions, past: Past | None = None) -> None:
        super().__init__(game, states, rows, past)
        self.tables, self.rows = states.take(rows), rows


class Oracle(Search):
    """Search with the true state as its only sample. It tries every action and plays the best one."""

    def __init__(self, game: Game, *, ceiling: bool) -> None:
        """Build the agent. The required argument `ceiling` keeps it out of ordinary matches."""
        assert ceiling
        super().__init__(game, f"samples=1,candidates={game.actions.size},margin=0")
        self.name = ORACLE
        self._deals = _true_tables


def _true_tables(obs: Observation, tables: Actions, copies: int, rng: np.random.Generator) -> States:
    """Return `copies` of each of the true tables, which only an OpenObservation holds."""
    assert isinstance(obs, OpenObservation)
    return np.repeat(obs.tables[tables], copies)
