"""Estimate win probabilities in every tenth of recorded games, from the view of each team's seat.

Everything hidden from the seat is sampled uniformly from all that fits its view, and the scripted agent plays on in
every seat. A win probability is the expected score, the share of the other teams that a team beats. With two teams it
is the probability of a win plus half that of a draw.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.core.playouts import Playouts, standings
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores
from tantra_envs.measures import Ints, Transitions

from ..harness import records
from ..harness.parquet import keep_parquet
from ..harness.records import Record
from .leads import Floats

TENTHS = range(10)  # tenths of a game's actions
ROOM = 1 << 26  # bytes of tables that are played at once


def keep(folder: Path, samples: int, seed: int, file: Path) -> Path:
    """Sample the games of a record unless that is done already, and return the file of the samples in `folder`."""
    return keep_parquet(folder / f"{file.stem}_{samples}.parquet", lambda: sampled(file, samples, seed))


def sampled(file: Path, samples: int, seed: int) -> pl.DataFrame:
    """Return a row for each game of a record; raise ValueError if it does not replay.

    Columns:
        deal: number of the deal
        score_t: final score of team t
        chance_t_k: win probability of team t at an action in tenth k, drawn uniformly
        ahead_t_k: its distance to the best other team in the standings of the scripted agent
    """
    record = records.read(file)
    game, representatives = record.game, record.game.team_representatives
    columns: dict[str, Any] = {"deal": record.deals}
    rng = np.random.default_rng((seed, columns["deal"][0]))
    tables = Watched(record, rng)
    _, rewards = records.replay(record, tables.observe)
    scores = team_scores(rewards[:, representatives])
    columns |= {f"score_{team}": scores[:, team] for team in range(len(representatives))}
    for tenth in TENTHS:
        states, paid = tables.states[tenth], tables.paid[tenth]
        stands = standings(game, states)[:, representatives]
        for team, seat in enumerate(representatives):
            expected = expected_scores(game, states, paid, seat, samples, rng)
            columns[f"chance_{team}_{tenth}"] = expected[:, team]
            columns[f"ahead_{team}_{tenth}"] = stands[:, team] - np.delete(stands, team, axis=1).max(axis=1)
    return pl.DataFrame(columns)


def expected_scores(
    game: Game, states: States, paid: Floats, observer: int, samples: int, rng: np.random.Generator
) -> Floats:
    """Return the mean scores of all teams (n, teams) over sampled deals that fit the observer's knowledge.

    Args:
        game: The game.
        states: Tables, shape (n,).
        paid: Rewards of all seats so far, shape (n, players).
        observer: A seat, or ALL_SEATS.
        samples: Playouts of each table.
        rng: Draws the seeds of the deals.
    """
    playouts = Playouts(game)

    def mean(part: Ints) -> Floats:
        copies = np.repeat(states[part], samples)
        seeds: Ints = rng.integers(np.iinfo(np.int64).max, size=len(copies), dtype=np.int64)
        game.drivers.redeal_rows(copies, seeds, np.full(len(copies), observer))
        totals = playouts.run(copies) + np.repeat(paid[part], samples, axis=0)
        scores = team_scores(totals[:, game.team_representatives])
        return np.asarray(scores.reshape(len(part), samples, -1).mean(axis=1))

    return np.concatenate([mean(part) for part in in_parts(game, len(states), samples)])


def in_parts(game: Game, n: int, copies: int) -> list[Ints]:
    """Return the numbers of n tables in parts whose copies fit into memory."""
    return np.array_split(np.arange(n), min(n, -(-n * copies * game.blank.dtype.itemsize // ROOM)))


class Watched:
    """The tables of a record in every tenth of their games, with their next actions and the rewards so far."""

    def __init__(self, record: Record, rng: np.random.Generator) -> None:
        start = records.dealt(record)
        drawn = np.array(TENTHS)[:, None] + rng.random((len(TENTHS), len(start)))
        self.when: Ints = (record.plies * drawn / len(TENTHS)).astype(np.int64)  # (tenths, n) actions
        self._so_far = np.zeros((len(start), record.game.players))
        self.states = [start.copy() for _ in TENTHS]
        self.paid = [self._so_far.copy() for _ in TENTHS]
        self.actions = np.zeros(self.when.shape, np.int64)

    def observe(self, t: Transitions) -> None:
        """Copy the tables that are at a sampled action."""
        done = t.before["plies"]
        for tenth in TENTHS:
            now = self.when[tenth, t.rows] == done
            self.states[tenth][t.rows[now]] = t.before[now]
            self.paid[tenth][t.rows[now]] = self._so_far[t.rows[now]]
            self.actions[tenth, t.rows[now]] = t.actions[now]
        self._so_far[t.rows] += t.after["rewards"][:, : t.game.players]
