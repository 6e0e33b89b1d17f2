"""Records of a study replayed and observed: a row of numbers about each game.

Seats are told apart by place, 1 = who acts first, or where others may speak before it who has the first turn, since the
numbers of seats mean nothing where the dealer is drawn. A team has the place of its first member. Columns, before
which a study puts the variant and the line-up:

    deal, rotation, alone_p           which deal, which rotation of it, whether place p was the lone agent's
    agent_p, number_p                 who played at place p, and the number of that team
    reward_p, score_p                 the sum of its rewards, and the share of the other teams with less
    final_p                           its points at the end, in the game's own unit (see games/)
    plies, truncated                  length in actions, and whether the game was cut off
    decisions_PHASE                   decisions in each phase of the rules
    lead_changes, leader_score_k ..   see trajectory.py; and what the game's own observer adds
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.matches.seeds import DEALS

from ..harness import records
from ..harness.records import Record
from ..harness.transitions import Ints, Transitions
from .games import load
from .trajectory import Teams, sole_leader, trajectory


def observed(file: Path) -> pl.DataFrame:
    """The games of a record. ValueError if it is none, or does not replay."""
    record = records.read(file)
    dealt, game = records.dealt(record), record.game
    observer = Observer(game, dealt, teams_by_place(game, load(game).GameObserver.first(dealt)))
    states, rewards = records.replay(record, observer.observe)
    speakers = np.array(game.speakers)[observer.places]
    names = np.take_along_axis(np.array(record.games["seats"].to_list()), speakers, axis=1)
    paid = np.take_along_axis(rewards, speakers, axis=1)
    scores = team_scores(paid)
    columns = _numbering(record, names)
    told = {"agent": names, "number": observer.places, "reward": paid, "score": scores, "final": observer.points}
    for what, values in told.items():
        columns |= {f"{what}_{place + 1}": values[:, place] for place in range(values.shape[1])}
    columns |= {"plies": record.plies, "truncated": record.truncated}
    columns |= {f"decisions_{phase}": observer.decisions[:, i] for i, phase in enumerate(game.phases[:-1])}
    columns |= trajectory(np.stack(observer.leading), np.stack(observer.trailing), record.plies, scores)
    columns |= observer.own.columns(states)
    return pl.DataFrame(columns, nan_to_null=True)


def _numbering(record: Record, names: Any) -> dict[str, Any]:
    """Which deal and rotation a game is, and where the lone agent sat."""
    match = record.label
    lone = match["agents"][match["lineup"][0]]
    columns: dict[str, Any] = {
        "deal": record.games["deal"].to_numpy() % DEALS,
        "rotation": np.arange(len(record.games)) % match["rotations"],
    }
    return columns | {f"alone_{place + 1}": names[:, place] == lone for place in range(names.shape[1])}


class Observer:
    """What is seen of tables while they are played."""

    def __init__(self, game: Game, dealt: States, places: Ints) -> None:
        self._game, self._module = game, load(game)
        self.places = places  # the team at each place, shape (n, teams)
        self.own = self._module.GameObserver(game, dealt, places)
        self.decisions = np.zeros((len(dealt), len(game.phases)), np.int64)
        self.points = np.zeros(places.shape, np.float32)  # by place
        self.leading: list[Teams] = []  # as dealt, and after each action
        self.trailing: list[Teams] = []
        self._reckon(np.arange(len(dealt)), dealt)

    def observe(self, t: Transitions) -> None:
        """One action at each table still going."""
        self.decisions[t.rows, t.before["phase"]] += 1
        self.own.observe(t)
        self._reckon(t.rows, t.after)

    def _reckon(self, rows: Ints, states: States) -> None:
        """Who has how many points now, and who leads."""
        points = np.asarray(self._module.current_points(self._game, states), np.float32)
        self.points[rows] = np.take_along_axis(points, self.places[rows], axis=1)
        self.leading.append(sole_leader(self.points))
        self.trailing.append(sole_leader(-self.points))


def teams_by_place(game: Game, first: Ints) -> Ints:
    """The team at each place, shape (n, teams), when the seats `first` (n,) are at place 1."""
    ahead = [[(np.array(team) - seat) % game.players for team in game.teams] for seat in range(game.players)]
    order = np.array([np.argsort([seats.min() for seats in teams]) for teams in ahead])
    return np.asarray(order[first], np.int64)
