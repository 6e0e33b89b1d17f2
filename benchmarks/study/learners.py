"""Name the agents that a study has trained, and pool their figures.

The agents of a variant are `trained-1`, `trained-2`, .., and `half-trained-1`, .. after half of their training. Their
mean is `trained` or `half-trained`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from ..harness.formatting import Row

TRAINED, HALF = "trained", "half-trained"
# A name, the number of an agent, and the other agents: " - scripted", or "-among-scripted" in the names of records.
LINEUP = re.compile(rf"({TRAINED}|{HALF})(-\d+)?((?: - |-among-).+)?")
COLUMNS = ("section", "measure", "part", "variant", "seat")  # with the line-up, they name a figure


def in_words(facts: Mapping[str, float] | None) -> str:
    """Return how the trained agents of a study learned; "" without any."""
    if facts is None:
        return ""
    learned = f"{facts['agents']} agents that learned each version from nothing by playing against themselves"
    return f"the mean of {learned}, {facts['decisions']:,} decisions each"


def is_trained(lineup: str) -> bool:
    """Return whether a line-up begins with a trained agent."""
    return LINEUP.fullmatch(lineup) is not None


def is_detail(lineup: str) -> bool:
    """Return whether a line-up is that of one trained agent, or of agents after half of their training."""
    return (name := LINEUP.fullmatch(lineup)) is not None and (name[1] == HALF or name[2] is not None)


def is_mean(lineup: str) -> bool:
    """Return whether a line-up is that of all agents of a variant together, after the whole training."""
    return is_trained(lineup) and not is_detail(lineup)


def single(rows: Iterable[Row], row: Row, value: str) -> list[Row]:
    """Return the rows of one measure whose mean is `row`: one for each agent that has this value."""
    return [each for each in _like(rows, row, value) if _mean_of(each["lineup"]) == row["lineup"]]


def after_half(rows: Iterable[Row], row: Row, value: str) -> Row | None:
    """Return the row like `row` after half of the training, if there is one with this value."""
    lineup = HALF + row["lineup"].removeprefix(TRAINED)
    return next((each for each in _like(rows, row, value) if each["lineup"] == lineup), None)


def _like(rows: Iterable[Row], row: Row, value: str) -> list[Row]:
    names = row["variant"], row["seat"]
    return [each for each in rows if (each["variant"], each["seat"]) == names and each[value] is not None]


def pooled(rows: Iterable[Row], agents: int) -> list[Row]:
    """Return for every figure of trained agents a row with its mean over all agents, who play different deals."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        if name := _mean_of(row["lineup"]):
            groups.setdefault((name, *(row[column] for column in COLUMNS)), []).append(row)
    return [_mean(lineup, group) for (lineup, *_), group in groups.items() if len(group) == agents]


def _mean_of(lineup: str) -> str | None:
    """Return the line-up of the mean over all agents if a line-up begins with one of them."""
    name = LINEUP.fullmatch(lineup)
    return f"{name[1]}{name[3] or ''}" if name and name[2] else None


def _mean(lineup: str, rows: Sequence[Row]) -> Row:
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
