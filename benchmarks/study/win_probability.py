"""Win probabilities in every tenth of recorded games, by what the seat of each team sees.

What the seat cannot know is sampled, uniformly from all that agrees with what it saw, and the scripted agent of every
seat plays on. A win probability is the score a team may expect, the share of the other teams that it beats: among two
the probability to win, plus half that of a draw.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.playouts import standings
from tantra_envs.matches.match import team_scores
from tantra_envs.matches.seeds import DEALS
from tantra_envs.measures import Ints, Transitions

from ..harness import records
from ..harness.parquet import write_parquet
from ..harness.records import Record
from .expected_scores import expected_scores

TENTHS = range(10)  # of a game's actions


def keep(folder: Path, samples: int, seed: int, file: Path) -> Path:
    """Sample the games of a record unless that is done, and return the file in `folder` that keeps them."""
    place = folder / f"{file.stem}_{samples}.parquet"
    if not place.exists():
        write_parquet(place, sampled(file, samples, seed))
    return place


def sampled(file: Path, samples: int, seed: int) -> pl.DataFrame:
    """Return a row for each game of a record; ValueError if it does not replay.

    Columns: deal; plies; score_t of team t at the end; ply_k, the action looked at in tenth k, drawn from all of it;
    chance_t_k and ahead_t_k: the win probability of the team there, and how far it stood ahead of the best of the
    others as the scripted agent counts it.
    """
    record = records.read(file)
    game, speakers = record.game, record.game.speakers
    columns: dict[str, Any] = {"deal": record.games["deal"].to_numpy() % DEALS, "plies": record.plies}
    rng = np.random.default_rng((seed, columns["deal"][0]))
    tables = _Watched(record, rng)
    _, rewards = records.replay(record, tables.observe)
    scores = team_scores(rewards[:, speakers])
    columns |= {f"score_{team}": scores[:, team] for team in range(len(speakers))}
    for tenth in TENTHS:
        states, paid = tables.states[tenth], tables.paid[tenth]
        stands = standings(game, states)[:, speakers]
        columns[f"ply_{tenth}"] = tables.when[tenth]
        for team, seat in enumerate(speakers):
            expected = expected_scores(game, states, paid, seat, samples, rng)
            columns[f"chance_{team}_{tenth}"] = expected[:, team]
            columns[f"ahead_{team}_{tenth}"] = stands[:, team] - np.delete(stands, team, axis=1).max(axis=1)
    return pl.DataFrame(columns)


class _Watched:
    """The tables of a record in every tenth of their games, and what their seats had been paid until then."""

    def __init__(self, record: Record, rng: np.random.Generator) -> None:
        start = records.dealt(record)
        drawn = np.array(TENTHS)[:, None] + rng.random((len(TENTHS), len(start)))
        self.when: Ints = (record.plies * drawn / len(TENTHS)).astype(np.int64)  # (tenths, n) actions
        self._so_far = np.zeros((len(start), record.game.players))
        self.states = [start.copy() for _ in TENTHS]
        self.paid = [self._so_far.copy() for _ in TENTHS]

    def observe(self, t: Transitions) -> None:
        """Keep the tables whose moment has come."""
        done = t.before["plies"]
        for tenth in TENTHS:
            now = self.when[tenth, t.rows] == done
            self.states[tenth][t.rows[now]] = t.before[now]
            self.paid[tenth][t.rows[now]] = self._so_far[t.rows[now]]
        self._so_far[t.rows] += t.after["rewards"][:, : t.game.players]
