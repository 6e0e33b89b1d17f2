"""Games played side by side and watched: a row of numbers about each.

Seats are told apart by place, 1 = who acts first, since the numbers of seats mean nothing where the dealer is drawn.
A team has the place of its first member. Columns of the table, before which a study puts the variant, the line-up, the
deal, the rotation, and alone_p: whether place p was the lone agent's:

    agent_p                           who played at place p
    reward_p, score_p                 the sum of its rewards, and the share of the other teams with less
    final_p                           where it stood at the end, in the game's own unit (see by_game)
    plies, truncated                  length in actions, and whether the game was cut off
    decisions_PHASE                   decisions in each phase of the rules
    lead_changes, leader_score_k ..   see course.py; and what by_game adds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.matches.playing import Ints, Progress, play_tables

from .course import Teams, alone, course
from .games import about


def play_games(
    game: Game,
    agents: Sequence[Agent],
    seating: Ints,
    deals: Ints,
    seed: Sequence[int],
    progress: Progress,
) -> pl.DataFrame:
    """Play a table for every row of `seating` (n, players), indices into `agents`, dealt from the seeds `deals` (n,).

    `progress` is told how many tables have just ended. ValueError for an illegal action.
    """
    notes = _Notes(game, deals)
    outcome = play_tables(game, agents, seating, deals, seed, look=notes.before, progress=progress)
    notes.stand(outcome.states)
    speakers = np.array([team[0] for team in game.teams])[notes.places]  # partners are paid alike
    names = np.array([agent.name for agent in agents])[np.take_along_axis(seating, speakers, axis=1)]
    paid = np.take_along_axis(outcome.rewards, speakers, axis=1)
    scores = team_scores(paid)
    columns: dict[str, Any] = {}
    for what, values in (("agent", names), ("reward", paid), ("score", scores), ("final", notes.standing)):
        columns |= {f"{what}_{place + 1}": values[:, place] for place in range(values.shape[1])}
    columns |= {"plies": outcome.plies, "truncated": outcome.truncated}
    columns |= {f"decisions_{phase}": notes.decisions[:, i] for i, phase in enumerate(game.phases[:-1])}
    columns |= course(np.stack(notes.leaders), np.stack(notes.lasts), outcome.plies, scores)
    columns |= notes.watch.columns(outcome.states)
    return pl.DataFrame(columns, nan_to_null=True)


class _Notes:
    """What is seen of tables while they are played."""

    def __init__(self, game: Game, deals: Ints) -> None:
        every = np.arange(len(deals))
        dealt = game.blanks(len(deals))
        game.drivers.deal_rows(dealt, every, deals)
        self._game, self._about = game, about(game)
        self._moved = every
        self.places = teams_by_place(game, dealt["seat"].astype(np.int64))
        self.watch = self._about.Watch(game, dealt, self.places)
        self.decisions = np.zeros((len(deals), len(game.phases)), np.int64)
        self.standing = np.zeros(self.places.shape, np.float32)
        self.leaders: list[Teams] = []  # as dealt, and after each action
        self.lasts: list[Teams] = []

    def before(self, states: States, rows: Ints, actions: Ints) -> None:
        """The tables `rows` before these actions are applied."""
        self.stand(states)
        self.decisions[rows, states["phase"][rows]] += 1
        self.watch.before(states, rows, actions)
        self._moved = rows

    def stand(self, states: States) -> None:
        """Who stands how after the actions that were seen last."""
        moved = self._moved
        standing = np.asarray(self._about.standing(self._game, states[moved]), np.float32)
        self.standing[moved] = np.take_along_axis(standing, self.places[moved], axis=1)
        self.leaders.append(alone(self.standing))
        self.lasts.append(alone(-self.standing))


def teams_by_place(game: Game, first: Ints) -> Ints:
    """The team at each place, shape (n, teams), when the seats `first` (n,) act first."""
    ahead = [[(np.array(team) - seat) % game.players for team in game.teams] for seat in range(game.players)]
    order = np.array([np.argsort([seats.min() for seats in teams]) for teams in ahead])
    return np.asarray(order[first], np.int64)
