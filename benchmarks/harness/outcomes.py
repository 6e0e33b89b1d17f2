"""Read the outcomes of recorded games: one frame with a row for every team of every game.

A line-up may fill seats in place of teams of several seats. Then a row is a seat, with the score of its team. Columns:

    match                   prefix of the records, the name of the match in its plan
    deal, rotation, team    numbers of the deal, of its game, and of the team (or seat)
    agent, alone            name of the agent; whether it is the first one of the line-up
    score, reward           share of the other teams that the team beat; its reward in the game
    plies, truncated        of the whole game

A study adds columns: see `benchmarks.study.tally`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.adapters.programs import COUNTS
from tantra_envs.matches.match import team_scores

from . import records
from .plans import PROGRAMS, Plan, Usage
from .records import Record

SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("deal", "rotation", "team"), pl.Int64),
    "agent": pl.String,
    "alone": pl.Boolean,
    **dict.fromkeys(("score", "reward"), pl.Float64),
    "plies": pl.Int64,
    "truncated": pl.Boolean,
}


def outcomes(record: Record) -> pl.DataFrame:
    """Return the rows of one record, without the column `match`."""
    game, lineup, games = record.game, record.label["lineup"], len(record.games)
    of_seats = len(lineup) != len(game.teams)
    seats = np.arange(game.players) if of_seats else np.array(game.team_representatives)
    agents, entries = record.seating[:, seats], len(seats)
    columns = {
        "deal": np.repeat(record.deals, entries),
        "rotation": np.repeat(np.arange(games) % record.label["rotations"], entries),
        "team": np.tile(np.arange(entries), games),
        "agent": np.array(record.label["agents"])[agents].ravel(),
        "alone": (agents == lineup[0]).ravel(),
        "score": team_scores(record.paid)[:, np.array(game.team_numbers)[seats]].ravel(),
        "reward": record.rewards[:, seats].ravel(),
        "plies": np.repeat(record.plies, entries),
        "truncated": np.repeat(record.truncated, entries),
    }
    return pl.DataFrame(columns, SCHEMA)


class Outcomes:
    """The outcomes of the matches of a plan. Each record is read only once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._read: dict[Path, pl.DataFrame] = {}

    def of(self, names: Iterable[str], deals: int) -> pl.DataFrame:
        """Return the rows of the first `deals` deals of some matches, in the order of their names."""
        return pl.concat(
            self._of(file).select(pl.lit(name).alias("match"), pl.all())
            for name in names
            for file in self._plan.files(name, deals)
        )

    def _of(self, file: Path) -> pl.DataFrame:
        if file not in self._read:
            self._read[file] = outcomes(records.read(file))
        return self._read[file]


def by_deal(games: pl.DataFrame, *key: str) -> pl.DataFrame:
    """Return the mean score and reward over the rotations of a deal: a row for every deal of every key."""
    return games.group_by(*key, "deal", maintain_order=True).agg(pl.col("score", "reward").mean())


def usage(plan: Plan, names: Iterable[str], deals: int) -> Usage:
    """Return the number of decisions of every agent that is a program, and all other counts for each decision.

    They are those of the first `deals` deals of the matches `names`.
    """
    counts: dict[str, Counter[str]] = {}
    for file in (file for name in names for file in plan.files(name, deals)):
        for agent, used in records.read_label(file).get(PROGRAMS, {}).items():
            counts.setdefault(agent, Counter()).update(used)
    return {agent: _per_decision(used) for agent, used in counts.items()}


def _per_decision(used: Counter[str]) -> dict[str, float]:
    decisions = used["decisions"]
    return {**{name: used[name] / max(decisions, 1) for name in COUNTS}, "decisions": decisions}
