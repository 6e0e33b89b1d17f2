"""Count how the lone agent plays while records are replayed: how often it does each kind of action, and when it could.

The kinds are those of `harness.kinds`, in each phase of the game. The rows are those of `harness.records`, of the
counted team, with more columns:

    decisions               decisions of the agent; null, as `plies`, in truncated games
    done K                  how often it did an action of kind K; 0, as the next two, in truncated games
    chosen K, possible K    how often it did so, and could, in decisions in which another kind was legal too
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.measures import Transitions, mean, share

from ..harness import kinds, records
from ..harness.figures import Figure, average

SCORE = share("score", "The share of the other teams that it beats, ties counting half; 0.5 is even.")
DECISIONS = mean("decisions in a game", "Decisions of the agent.")
LENGTH = mean("length of a game, in actions", "Actions of all seats together.")
CUT_OFF = share(
    "truncated games",
    "Games that reach a limit, mostly because actions repeat. Except for the score, all other measures leave them out.",
)
TIMES = mean("times in a game", "How often it does this kind of action in this phase.", unit="in a game")
CHOSEN = share(
    "chosen when possible",
    "How often it does so, of the decisions in which this kind of action and another kind are legal.",
)
RESULTS = {SCORE: "score", DECISIONS: "decisions", LENGTH: "plies", CUT_OFF: "truncated"}  # columns of `counts`
MEASURES = (*RESULTS, TIMES, CHOSEN)


def names(game: Game) -> list[str]:
    """Return the name of every kind of action in every phase, as `show losses` has them."""
    return [f"{phase}: {kind}" for phase in game.phases for kind in kinds.names(game)]


def figures(game: Game, games: pl.DataFrame) -> list[Figure]:
    """Return the results, and how often the agent does each kind of action that was possible in these games."""
    known = [name for name in names(game) if f"done {name}" in games.columns]
    whole = (~pl.col("truncated")).sum()
    return [
        *(average(measure, pl.col(column)) for measure, column in RESULTS.items()),
        *(Figure(TIMES, (pl.col(f"done {name}").sum(), whole), name) for name in known),
        *(Figure(CHOSEN, (pl.col(f"chosen {name}").sum(), pl.col(f"possible {name}").sum()), name) for name in known),
    ]


def counts(file: Path) -> pl.DataFrame:
    """Return the outcome of the counted team in every game of a record, and how often it did what.

    The first agent of the record's line-up is counted. It plays each team in turn.

    Raises:
        ValueError: The file is not a record, or does not replay.
    """
    record = records.read(file)
    game, n, every = record.game, len(record.games), names(record.game)
    team = np.arange(n) % len(game.teams)
    seats = np.array(game.teams)[team]
    done, chosen, possible = np.zeros((3, n, len(every)), np.int64)

    def observe(t: Transitions) -> None:
        own = np.flatnonzero((t.before["seat"][:, None] == seats[t.rows]).any(axis=1))
        before, rows = t.before[own], t.rows[own]
        legal = kinds.legal(game, before)
        of_action = before["phase"].astype(np.int64)[legal.rows] * len(kinds.names(game)) + legal.kinds
        played = of_action[legal.actions == t.actions[own][legal.rows]]
        can = np.zeros((len(own), len(every)), np.int64)
        can[legal.rows, of_action] = 1
        choice = can.sum(axis=1) > 1
        done[rows, played] += 1
        chosen[rows, played] += choice
        possible[rows] += can * choice[:, None]

    records.replay(record, observe)
    games = records.outcomes(record)[np.arange(n) * len(game.teams) + team]
    games = games.with_columns(decisions=done.sum(axis=1))
    games = games.with_columns(pl.when(~pl.col("truncated")).then(pl.col("decisions", "plies")))
    columns = {
        f"{word} {name}": counted[:, i] * ~record.truncated
        for i, name in enumerate(every)
        for word, counted in (("done", done), ("chosen", chosen), ("possible", possible))
        if done[:, i].any() or possible[:, i].any()
    }
    return games.with_columns(pl.Series(name, column) for name, column in columns.items())
