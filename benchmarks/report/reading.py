"""All figures of a page in one table: those that the studies tell, how lengths are spread, and what rules change.

Columns: section, the study or one of `LENGTHS` and `CHANGES`; question; lineup, who played; variant; figure; at, the
tenth of a game or the first length of a range; value, low, high; change, change_low, change_high from the rules as they
are; deals.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from tantra_envs.core.game import Game

from ..balance.answers import answers
from ..balance.question import SELF_PLAY, Question
from ..balance.questions.drama import comebacks
from ..balance.questions.length import length
from ..balance.questions.results import seats
from ..balance.questions.skill import skill
from ..balance.study import Study as Balance
from ..harness.figures import Figure, samples, share
from .study import CHANCES, LEVELS, RESTRICTED, RULES, Played, Row, Study

LENGTHS, CHANGES = "lengths", "changes"
SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("section", "question", "lineup", "variant", "figure"), pl.String),
    **dict.fromkeys(("at", "value", "low", "high", "change", "change_low", "change_high"), pl.Float64),
    "deals": pl.Int64,
}
COUNTED = 0.98  # of the resamples have something to count, so four deals or more; fewer have no interval
RANGES = 16  # of lengths
LONG = 0.95  # of the games are shorter than where the last range begins
EASY = (1, 2, 5)  # widths of ranges, times powers of ten
MEASURES = {"length": length, "first to act": seats, "better player": skill, "comebacks": comebacks}


def figures(study: Study, played: Played) -> pl.DataFrame:
    """The table of a report."""
    rows = [*_told(LEVELS, study.parts[LEVELS], played.levels), *_lengths(study.parts[LEVELS], played.levels)]
    rows += _chances(played.chances)
    rows += _worth(played.restricted) if played.restricted else []
    if played.rules is not None:
        told = _told(RULES, study.parts[RULES], played.rules)
        rows += [*told, *_changes(study.game, told)]
    return pl.DataFrame([{**dict.fromkeys(SCHEMA), **row} for row in rows], SCHEMA)


def measured(game: Game) -> dict[str, tuple[str, str]]:
    """By the name of each measure of rules its question's title and figure."""
    asked: dict[str, Question] = {name: question(game) for name, question in MEASURES.items()}
    return {name: (own.title, own.figures[0].name) for name, own in asked.items()}


def _told(section: str, study: Balance, games: pl.DataFrame) -> list[Row]:
    """The answers of a study of balance."""
    played = games.group_by("variant", "lineup").agg(pl.col("deal").n_unique().alias("deals"))
    found = answers(study, games).join(played, ["variant", "lineup"], maintain_order="left")
    known = found.filter(pl.col("counted") >= COUNTED).drop("counted")
    return [{"section": section, **row} for row in known.iter_rows(named=True)]


def _lengths(study: Balance, games: pl.DataFrame) -> list[Row]:
    """The share of games of every length, by who plays against itself."""
    return [
        row for table in study.tables.values() if table.kind == SELF_PLAY for row in _spread(study, games, table.lineup)
    ]


def _spread(study: Balance, games: pl.DataFrame, lineup: str) -> list[Row]:
    own = games.filter(pl.col("lineup") == lineup)
    starts = _starts(own["plies"].to_numpy())
    ends = [*starts[1:], np.inf]
    wanted = [_in_range(start, end) for start, end in zip(starts, ends, strict=True)]
    told = {
        "section": LENGTHS,
        "question": "How are lengths spread?",
        "lineup": lineup,
        "deals": own["deal"].n_unique(),
    }
    return [
        {**told, "figure": figure.name, "at": start, "value": s.value, "low": s.low, "high": s.high}
        for figure, start, s in zip(wanted, starts, samples(own, wanted, study.seed), strict=True)
    ]


def _starts(plies: Any) -> list[int]:
    """Where ranges of lengths begin, all of the same easy width but for the last, which is open."""
    first, last = int(plies.min()), float(np.quantile(plies, LONG))
    least = max(1.0, (last - first) / RANGES)
    scale = 10 ** int(np.log10(least))
    width = next(int(width) for width in (*(easy * scale for easy in EASY), 10 * scale) if width >= least)
    return list(range(first // width * width, int(last) + 1, width))


def _in_range(start: int, end: float) -> Figure:
    name = f"{start} or more" if end == np.inf else f"{start} to {end - 1:.0f}"
    return share(name, (pl.col("plies") >= start) & (pl.col("plies") < end))


def _chances(found: Row) -> list[Row]:
    return [
        {
            **{"section": CHANCES, "lineup": own["agent"], "deals": own["games"], "question": row["group"]},
            **{name: row[name] for name in ("figure", "at", "value", "low", "high")},
        }
        for own in found["agents"]
        for row in own["figures"]
    ]


def _worth(found: Row) -> list[Row]:
    return [
        {
            **{"section": RESTRICTED, "question": row["without"], "lineup": row["agent"], "figure": row["freedom"]},
            **{"value": row["worth"], "low": row["low"], "high": row["high"], "deals": row["deals"]},
        }
        for row in found["rows"]
    ]


def _changes(game: Game, told: list[Row]) -> list[Row]:
    """What each rule changes, comparable: 0.1 is a tenth of the length, or a tenth of a point of score or share."""
    found = []
    for name, key in measured(game).items():
        own = [row for row in told if (row["question"], row["figure"]) == key]
        unit = own[0]["value"] if name == "length" else 1.0
        found += [_changed(name, row, unit) for row in own if row["change"] is not None]
    return found


def _changed(name: str, row: Row, unit: float) -> Row:
    kept = {what: row[what] for what in ("lineup", "variant", "deals")}
    ends = {what: row[f"change{suffix}"] / unit for what, suffix in (("value", ""), ("low", "_low"), ("high", "_high"))}
    return {"section": CHANGES, "question": row["question"], "figure": name, **kept, **ends}
