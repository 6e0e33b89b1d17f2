"""The figures of a study with their 95 % intervals: a bootstrap over deals, paired between the agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl
from rich.progress import Progress

from benchmarks.balance.figures import quotient
from benchmarks.balance.intervals import Sample, samples
from tantra_envs.matches.intervals import interval

from .figures import Figure
from .observer import columns, counts
from .study import Study

ALL = "all"  # the parts of a running quantity taken together


@dataclass(frozen=True)
class Answer:
    """A figure, or a part of one, for every agent."""

    figure: Figure
    part: str  # "" where there are no parts
    samples: tuple[Sample, ...]  # in the order of the agents

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """The first agent less the second, and the ends of its interval."""
        if len(self.samples) < 2:
            return None
        first, second = self.samples[:2]
        return first.value - second.value, *interval(first.drawn - second.drawn)


def answers(study: Study) -> list[Answer]:
    """All figures of a page, each with its parts in order. ValueError for a record that does not replay."""
    figures = [figure for section in study.sections for figure in section.figures]
    asked = [(figure, name, _columns(i, figure, name)) for i, figure in enumerate(figures) for name in _rows(figure)]
    quotients = [
        quotient(name, [pl.col(c) for c, _ in own], [pl.col(c) for _, c in own], figure.bounds)
        for figure, name, own in asked
    ]
    found = []
    with Progress(transient=True) as bar:
        task = bar.add_task("counting", total=len(study.players) * len(study.pieces))
        for player in study.players:
            tables = []
            for table in counts(study.sections, study.about, study.records(player)):
                tables.append(table)
                bar.advance(task)
            found.append(samples(pl.concat(tables), quotients, study.seed))
    return [Answer(figure, name, tuple(own[i] for own in found)) for i, (figure, name, _) in enumerate(asked)]


def _rows(figure: Figure) -> Sequence[str]:
    """Of a running quantity the whole, too, where that is an average over the parts."""
    return (ALL, *figure.names) if figure.by and not figure.per_game else figure.names


def _columns(i: int, figure: Figure, name: str) -> list[tuple[str, str]]:
    """Where the counts stand of a part of the figure of number `i`."""
    parts = range(len(figure.names)) if name == ALL else [figure.names.index(name)]
    return [columns(i, part) for part in parts]
