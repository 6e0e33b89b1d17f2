"""The answers of a study as a table: a row for every figure of every question, line-up and variant."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import polars as pl

from tantra_envs.matches.intervals import interval

from .figures import Question
from .intervals import Sample, samples
from .questions import questions

if TYPE_CHECKING:
    from .study import Study


def asked(study: Study) -> dict[str, Question]:
    """Every question by its title, with the figures of all variants."""
    found: dict[str, Question] = {}
    for game in study.games.values():
        for question in questions(game):
            before = found.setdefault(question.title, question)
            if len(question.figures) > len(before.figures):
                found[question.title] = question  # more seats, more figures
    return found


def answers(study: Study) -> pl.DataFrame:
    """Columns question, lineup, variant, figure, value, low, high, and the change from the base with its interval.

    Intervals are 95 %; `change` is null for the base, and everything is null where there was nothing to count.
    """
    games = pl.read_parquet(study.file)
    base: dict[tuple[str, str, str], Sample] = {}
    rows = []
    for number, (variant, game) in enumerate(study.games.items()):
        for lineup in study.lineups(variant):
            played = games.filter(pl.col("variant") == variant, pl.col("lineup") == lineup.name)
            figures = [(q.title, f) for q in questions(game) if q.games == lineup.kind for f in q.figures]
            found = samples(played, [figure for _, figure in figures], study.settings["seed"])
            for (title, figure), sample in zip(figures, found, strict=True):
                key = (title, lineup.name, figure.name)
                if number == 0:
                    base[key] = sample
                names = dict(zip(("question", "lineup", "figure"), key, strict=True))
                rows.append({"variant": variant, **names, **_row(sample, base.get(key) if number else None)})
    return pl.DataFrame(rows, infer_schema_length=None)


def _row(sample: Sample, base: Sample | None) -> dict[str, Any]:
    numbers = {"value": sample.value, "low": sample.low, "high": sample.high}
    change = {"change": math.nan, "change_low": math.nan, "change_high": math.nan}
    if base is not None:
        low, high = interval(sample.drawn - base.drawn)
        change = {"change": sample.value - base.value, "change_low": low, "change_high": high}
    return {name: None if math.isnan(number) else number for name, number in (numbers | change).items()}
