"""The answers of a study as a table: a row for every figure of every question, line-up and variant."""

from __future__ import annotations

import math
from typing import Any

import polars as pl

from ..harness.figures import Sample, samples
from .question import Question
from .questions import questions
from .study import Study

Key = tuple[str, str, str]  # question, line-up, figure


def asked(study: Study) -> dict[str, Question]:
    """Every question by its title, with the figures of all variants."""
    found: dict[str, Question] = {}
    for game in study.games.values():
        for question in questions(game):
            before = found.setdefault(question.title, question)
            if len(question.figures) > len(before.figures):
                found[question.title] = question  # more seats, more figures
    return found


def answers(study: Study, games: pl.DataFrame) -> pl.DataFrame:
    """Columns question, lineup, variant, figure, value, low, high, the change from the base with its interval, counted.

    Intervals are 95 %; `change` is null for the base, and everything is null where there was nothing to count; counted
    is the share of resamples that had something, low where it was in so few deals that an interval says little.
    """
    first = next(iter(study.games))
    base: dict[Key, Sample] = {}
    rows = []
    for table in study.tables.values():
        played = games.filter(pl.col("variant") == table.variant, pl.col("lineup") == table.lineup)
        own = [question for question in questions(study.games[table.variant]) if question.games == table.kind]
        keys = [(question.title, table.lineup, figure.name) for question in own for figure in question.figures]
        found = samples(played, [figure for question in own for figure in question.figures], study.seed)
        if table.variant == first:
            base |= dict(zip(keys, found, strict=True))
        for key, sample in zip(keys, found, strict=True):
            names = dict(zip(("question", "lineup", "figure"), key, strict=True))
            compared = None if table.variant == first else base.get(key)
            rows.append({"variant": table.variant, **names, **_row(sample, compared), "counted": sample.counted})
    return pl.DataFrame(rows, infer_schema_length=None)


def _row(sample: Sample, base: Sample | None) -> dict[str, Any]:
    change = (math.nan,) * 3 if base is None else sample.less(base)
    numbers = (sample.value, sample.low, sample.high, *change)
    names = ("value", "low", "high", "change", "change_low", "change_high")
    return {name: None if math.isnan(number) else number for name, number in zip(names, numbers, strict=True)}
