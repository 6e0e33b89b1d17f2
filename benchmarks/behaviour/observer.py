"""Records are played again, and what happens at their tables is counted for the figures of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from benchmarks.harness import records
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Observation
from tantra_envs.core.state import States
from tantra_envs.matches.match import team_scores

from .figures import Figure, Ints, Section, Tally, mean, share
from .games import About, Watch

SCORE = share("score", "The share of the others it beats, equals counting half; 0.5 is even.")
DECISIONS = mean("decisions in a game", "How often the agent has to decide.")
LENGTH = mean("length of a game, in actions", "Actions of all seats together.")
CUT_OFF = share(
    "games cut off",
    "How many games reach the limit of their length, most of them going round in a circle. Of these the score alone "
    "counts, here and below.",
)
RESULTS = Section("Results", (SCORE, DECISIONS, LENGTH, CUT_OFF))


@dataclass(frozen=True)
class Round:
    """One action at each of k tables: how they were, what was played, how they are now."""

    game: Game
    rows: Ints  # (k,) which tables
    seats: Ints  # (k, size of a team) the seats of the agent that is told of
    before: States  # (k,)
    actions: Ints  # (k,)
    after: States  # (k,)

    def __len__(self) -> int:
        return len(self.rows)

    def only(self, which: npt.NDArray[np.bool_]) -> Round:
        """The tables where `which` (k,) is true."""
        arrays = {field.name: getattr(self, field.name)[which] for field in fields(self) if field.name != "game"}
        return replace(self, **arrays)

    @property
    def mine(self) -> npt.NDArray[np.bool_]:
        """Where the agent decided, shape (k,)."""
        return np.asarray((self.before["seat"][:, None] == self.seats).any(axis=1))

    @property
    def k(self) -> Ints:
        """0 .. k - 1, to take one entry of each table: `before["hand_n"][r.k, seats]`."""
        return np.arange(len(self))

    @cached_property
    def masks(self) -> npt.NDArray[np.bool_]:
        """What was legal, shape (k, actions)."""
        return Observation(self.game, self.before).action_mask.astype(bool)


def counts(sections: Sequence[Section], about: About, files: Iterable[Path]) -> Iterable[pl.DataFrame]:
    """For each record a row for every game: its deal, and both counts of every part of every figure.

    ValueError if a file is no record, or does not replay.
    """
    figures = [figure for section in sections for figure in section.figures]
    return (_counts(figures, about, file) for file in files)


def columns(figure: int, part: int) -> tuple[str, str]:
    """Where the counts of a part of the figure of that number stand."""
    return f"{figure}.{part} over", f"{figure}.{part} under"


def _counts(figures: Sequence[Figure], about: About, file: Path) -> pl.DataFrame:
    record = records.read(file)
    teams, n = len(record.game.teams), len(record.games)
    alone = np.arange(n) % teams  # the first of a line-up sits with each team in turn
    seats = np.array(record.game.teams)[alone]
    tally = Tally(figures, n)
    plies = record.games["actions"].list.len().to_numpy().astype(np.int64)
    observer = _Observer(record.game, seats, about.Watch(record.game, seats, plies, tally))
    try:
        states, rewards = records.replay(record, observer.look)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None
    observer.finish(states)
    rows, cut_off = np.arange(n), states["truncated"] != 0
    paid = rewards[:, [team[0] for team in record.game.teams]]  # partners are paid alike
    tally.add(SCORE, rows, team_scores(paid)[rows, alone])
    tally.add(DECISIONS, rows, observer.decisions)
    tally.add(LENGTH, rows, plies)
    tally.add(CUT_OFF, rows, cut_off)
    tally.drop(cut_off, kept=(SCORE, CUT_OFF))
    found: dict[str, Any] = {"deal": record.games["deal"]}
    for i, figure in enumerate(figures):
        for part in range(len(figure.names)):
            over, under = columns(i, part)
            found |= {over: tally.over[figure][:, part], under: tally.under[figure][:, part]}
    return pl.DataFrame(found)


class _Observer:
    """Shows a watch every round, once it is known how the tables became."""

    def __init__(self, game: Game, seats: Ints, watch: Watch) -> None:
        self._game, self._seats, self._watch = game, seats, watch
        self._last: tuple[Ints, States, Ints] | None = None
        self.decisions = np.zeros(len(seats), np.int64)

    def look(self, states: States, rows: Ints, actions: Ints) -> None:
        self._show(states)
        self._last = rows, states[rows], actions

    def finish(self, states: States) -> None:
        self._show(states)
        self._watch.end(states)

    def _show(self, states: States) -> None:
        if self._last is None:
            return
        rows, before, actions = self._last
        shown = Round(self._game, rows, self._seats[rows], before, actions, states[rows])
        self.decisions[rows] += shown.mine
        self._watch.see(shown)
