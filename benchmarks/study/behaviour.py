"""Count the behaviour of the lone agent while records are replayed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from tantra_envs import measures
from tantra_envs.core.game import Game
from tantra_envs.measures import AgentTransitions, Counter, Measure, Section, Transitions, mean, share

from ..harness import records
from .tally import columns_of

SCORE = share("score", "The share of the other teams that it beats, ties counting half; 0.5 is even.")
DECISIONS = mean("decisions in a game", "Decisions of the agent.")
LENGTH = mean("length of a game, in actions", "Actions of all seats together.")
CUT_OFF = share(
    "truncated games",
    "Games that reach a limit, mostly because actions repeat. Except for the score, all other measures leave them out.",
)
RESULTS = Section("Results", (SCORE, DECISIONS, LENGTH, CUT_OFF))


def sections(game: Game) -> tuple[Section, ...]:
    """Return the measures of every game, then those of this game."""
    return (RESULTS, *measures.of_game(game).SECTIONS)


def measures_of(game: Game) -> list[Measure]:
    """Return the measures of all sections, in the order of the columns of `counts`."""
    return [measure for section in sections(game) for measure in section.measures]


def counts(file: Path) -> pl.DataFrame:
    """Return the outcome of the counted team in every game of a record, and the sums of every measure.

    The first agent of the record's line-up is counted. It plays each team in turn.

    Raises:
        ValueError: The file is not a record, or does not replay.
    """
    record = records.read(file)
    game, n, plies = record.game, len(record.games), record.plies
    team = np.arange(n) % len(game.teams)
    games = records.outcomes(record)[np.arange(n) * len(game.teams) + team]
    seats, counter = np.array(game.teams)[team], Counter(measures_of(game), n)
    observer, decisions = measures.of_game(game).Behaviour(game, seats, plies, counter), np.zeros(n, np.int64)

    def observe(t: Transitions) -> None:
        transitions = AgentTransitions(t.game, t.rows, t.before, t.actions, t.after, seats[t.rows])
        decisions[t.rows] += transitions.mine
        observer.observe(transitions)

    states, _ = records.replay(record, observe)
    observer.end(states)
    results = {SCORE: games["score"].to_numpy(), DECISIONS: decisions, LENGTH: plies, CUT_OFF: record.truncated}
    for measure, values in results.items():
        counter.add(measure, np.arange(n), values)
    counter.drop(record.truncated, kept=(SCORE, CUT_OFF))
    return games.with_columns(pl.Series(name, own) for name, own in columns_of(measures_of(game), counter).items())
