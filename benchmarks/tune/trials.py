"""Play variants, measure their distances from the goals, and find the best one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from tantra_envs.core.game import Game
from tantra_envs.workers import Run

from ..harness import playing
from ..harness.figures import Figure, Sample, samples
from ..harness.playing import Plan
from ..study import skill
from ..study.tally import SEAT, SELF_PLAY, figures_of, sections, tally
from .goals import Distance, Floats, Goal, Key, distances


@dataclass(frozen=True)
class Trial:
    """A variant that was tried."""

    variant: str
    deals: int
    samples: dict[Key, Sample]
    away: dict[str, Distance]  # distance from each goal
    given_up: bool = False

    @property
    def loss(self) -> float:
        """The sum of the distances from all goals."""
        return sum(distance.value for distance in self.away.values())

    @property
    def drawn(self) -> Floats:
        """The sum of the distances in each of the resamples."""
        return np.asarray(np.sum([distance.drawn for distance in self.away.values()], axis=0))


class Tables:
    """Plays variants and counts their records, each record only once."""

    def __init__(
        self,
        plan: Plan,
        matches: Mapping[str, Mapping[str, str]],
        games: Mapping[str, Game],
        goals: Sequence[Goal],
        seed: int,
        run: Run,
    ) -> None:
        self._plan, self._matches, self._games = plan, matches, games
        self._goals, self._seed, self._run = goals, seed, run
        self._seen: dict[Path, pl.DataFrame] = {}

    def trial(self, variant: str, deals: range) -> Trial:
        """Return the trial of a variant on these deals. All deals before them are played too."""
        game = self._games[variant]
        sampled: dict[Key, Sample] = {}
        by_kind = {kind: self._games_of(name, deals) for kind, name in self._matches[variant].items()}
        for kind, games in by_kind.items():
            figures = _of_self_play(game) if kind == SELF_PLAY else _of_skill(game)
            sampled |= dict(zip(figures, samples(games, list(figures.values()), self._seed), strict=True))
        return Trial(variant, len(deals), sampled, distances(self._goals, game, sampled))

    def _games_of(self, name: str, deals: range) -> pl.DataFrame:
        """Return the tally of some deals of a match, and play what is missing."""
        before, files = (self._plan.files(name, end) for end in (deals.start, deals.stop))
        if missing := [file for file in files if file not in self._seen]:
            match = {name: self._plan.matches[name]}
            playing.play(replace(self._plan, matches=match, deals=deals.stop, fewer={}), self._run)
            self._seen |= playing.count(tally, missing, self._run)
        return pl.concat([self._seen[file] for file in files[len(before) :]], how="diagonal")


def best(tried: Sequence[Trial]) -> Trial:
    """Return the trial nearest to all goals among those that were not pruned."""
    return min((trial for trial in tried if not trial.given_up), key=lambda trial: trial.loss)


def front(tried: Sequence[Trial]) -> list[Trial]:
    """Return the Pareto front of the trials that were not pruned."""
    candidates = [trial for trial in tried if not trial.given_up]
    return [trial for trial in candidates if not any(_beats(other, trial) for other in candidates)]


def _beats(one: Trial, other: Trial) -> bool:
    pairs = [(one.away[goal].value, other.away[goal].value) for goal in one.away]
    return all(a <= b for a, b in pairs) and any(a < b for a, b in pairs)


def _of_self_play(game: Game) -> dict[Key, Figure]:
    """Return the figures of one agent against itself: seats by place, and the measures of every game."""
    measures = [
        measure
        for section in ("seats", "length", "tension")
        for measure in sections(game)[section]
        if measure is not SEAT
    ]
    figures = {(measure.name, measure.names[part]): figure for measure, part, figure in figures_of(game, measures)}
    for seat in range(1, len(game.teams) + 1):
        score = pl.when(pl.col("place") == seat).then(pl.col("score"))
        figures[SEAT.name, f"seat {seat}"] = Figure(SEAT.name, (score.sum(), score.count()), bounds=SEAT.bounds)
    return figures


def _of_skill(game: Game) -> dict[Key, Figure]:
    """Return the figures of one agent alone among copies of another."""
    return {(measure.name, measure.names[part]): figure for measure, part, figure in skill.figures(game)}
