"""Chances in every tenth of recorded games: what each team may hope for by what its seat sees.

What the seat cannot know is drawn again, uniformly from all that agrees with what it saw, and the scripted player of
every seat plays on. A chance is the score it may expect, the share of the other teams that it beats: among two the
probability to win, with half of that of a draw.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.playouts import standings
from tantra_envs.matches.match import team_scores
from tantra_envs.matches.seeds import DEALS

from ..harness import records
from ..harness.hopes import hopes
from ..harness.parquet import write_parquet
from ..harness.records import Record
from ..harness.transitions import Ints, Transitions

TENTHS = range(10)  # of a game's actions


def keep(folder: Path, worlds: int, seed: int, file: Path) -> Path:
    """Where the sampled games of a record lie in `folder`: they are kept there when that is done."""
    place = folder / f"{file.stem}_{worlds}.parquet"
    if not place.exists():
        write_parquet(place, sampled(file, worlds, seed))
    return place


def sampled(file: Path, worlds: int, seed: int) -> pl.DataFrame:
    """A row for each game of a record; ValueError if it does not replay.

    Columns: deal; plies; score_t of team t at the end; ply_k, the action looked at in tenth k, drawn from all of it;
    chance_t_k and ahead_t_k: what the team might hope for there, and how far it stood ahead of the best of the others
    as the scripted player counts it.
    """
    record = records.read(file)
    game, speakers = record.game, record.game.speakers
    columns: dict[str, Any] = {"deal": record.games["deal"].to_numpy() % DEALS, "plies": record.plies}
    rng = np.random.default_rng((seed, columns["deal"][0]))
    seen = Watched(record, rng)
    _, rewards = records.replay(record, seen.observe)
    scores = team_scores(rewards[:, speakers])
    columns |= {f"score_{team}": scores[:, team] for team in range(len(speakers))}
    for tenth in TENTHS:
        states, paid = seen.states[tenth], seen.paid[tenth]
        stands = standings(game, states)[:, speakers]
        columns[f"ply_{tenth}"] = seen.when[tenth]
        for team, seat in enumerate(speakers):
            columns[f"chance_{team}_{tenth}"] = hopes(game, states, paid, seat, worlds, rng)[:, team]
            columns[f"ahead_{team}_{tenth}"] = stands[:, team] - np.delete(stands, team, axis=1).max(axis=1)
    return pl.DataFrame(columns)


class Watched:
    """The tables of a record in every tenth of their games, and what their seats had been paid until then."""

    def __init__(self, record: Record, rng: np.random.Generator) -> None:
        start = records.dealt(record)
        drawn = np.array(TENTHS)[:, None] + rng.random((len(TENTHS), len(start)))
        self.when: Ints = (record.plies * drawn / len(TENTHS)).astype(np.int64)  # (tenths, n) actions
        self._so_far = np.zeros((len(start), record.game.players))
        self.states = [start.copy() for _ in TENTHS]
        self.paid = [self._so_far.copy() for _ in TENTHS]

    def observe(self, t: Transitions) -> None:
        """One action at each table still going."""
        done = t.before["plies"]
        for tenth in TENTHS:
            now = self.when[tenth, t.rows] == done
            self.states[tenth][t.rows[now]] = t.before[now]
            self.paid[tenth][t.rows[now]] = self._so_far[t.rows[now]]
        self._so_far[t.rows] += t.after["rewards"][:, : t.game.players]
