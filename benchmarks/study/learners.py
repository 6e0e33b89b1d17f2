"""Pool the figures of the agents that a study has trained (see `harness.lineups` for their names)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from ..harness.formatting import Row
from ..harness.lineups import Lineup

COLUMNS = ("section", "measure", "part", "variant", "seat")  # with the line-up, they name a figure


def in_words(facts: Mapping[str, float] | None) -> str:
    """Return how the trained agents of a study learned; "" without any."""
    if facts is None:
        return ""
    learned = f"{facts['agents']} agents that learned each version from nothing by playing against themselves"
    return f"the mean of {learned}, {facts['decisions']:,} decisions each"


def single(rows: Iterable[Row], row: Row, value: str) -> list[Row]:
    """Return the rows of one measure whose mean is `row`: one for each agent that has this value."""
    return [each for each in _like(rows, row, value) if each["lineup"].trained and each["lineup"].mean == row["lineup"]]


def after_half(rows: Iterable[Row], row: Row, value: str) -> Row | None:
    """Return the row like `row` after half of the training, if there is one with this value."""
    return next((each for each in _like(rows, row, value) if each["lineup"] == row["lineup"].after_half), None)


def _like(rows: Iterable[Row], row: Row, value: str) -> list[Row]:
    names = row["variant"], row["seat"]
    return [each for each in rows if (each["variant"], each["seat"]) == names and each[value] is not None]


def pooled(rows: Iterable[Row], agents: int) -> list[Row]:
    """Return for every figure of trained agents a row with its mean over all agents, who play different deals."""
    groups: dict[tuple[Lineup, ...], list[Row]] = {}
    for row in rows:
        if row["lineup"].trained:
            groups.setdefault((row["lineup"].mean, *(row[column] for column in COLUMNS)), []).append(row)
    return [_mean(lineup, group) for (lineup, *_), group in groups.items() if len(group) == agents]


def _mean(lineup: Lineup, rows: Sequence[Row]) -> Row:
    """Return the mean of independent figures, and its interval."""
    pooled_row = {**rows[0], "lineup": lineup, "deals": min(row["deals"] for row in rows)}
    for names in (("value", "low", "high"), ("change", "change_low", "change_high")):
        values, lows, highs = ([row[name] for row in rows] for name in names)
        pooled_row |= dict.fromkeys(names)
        if None not in values:
            value, n = sum(values) / len(rows), len(rows)
            below, above = (math.dist(values, ends) / n for ends in (lows, highs))
            pooled_row |= dict(zip(names, (value, value - below, value + above), strict=True))
    return pooled_row
