"""The one table of results: a line for every figure, as CSV.

Columns: view, game, table, agent, others, measure, part, value, low, high, deals, seed, version, date, digest. The 95 %
interval is from `low` to `high`, which are empty without one. `digest` has eight hexadecimal digits for the agent and
each of the others, of their names with their options or weights. The first line is a comment with the command.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from ..matches.intervals import Estimate
from .files import write_content

SCHEMA: dict[str, Any] = {
    **dict.fromkeys(("view", "game", "table", "agent", "others", "measure", "part"), pl.String),
    **dict.fromkeys(("value", "low", "high"), pl.Float64),
    **dict.fromkeys(("deals", "seed"), pl.Int64),
    **dict.fromkeys(("version", "date", "digest"), pl.String),
}
RESULTS = "results.csv"  # in the folder of a run
SCORE = "score"  # a measure: the share of the other teams that an agent beats
COMMENT = "# "


def table(lines: Iterable[Mapping[str, Any]], view: str) -> pl.DataFrame:
    """Return lines of a view as one table, dated today unless a line has its own date."""
    facts = {"view": view, "date": datetime.datetime.now(datetime.UTC).date().isoformat()}
    every = [{**facts, **line} for line in lines]
    whole = pl.DataFrame([{name: line.get(name) for name in SCHEMA} for line in every], SCHEMA)
    return whole.with_columns(pl.col(pl.String).fill_null(""))


def line(facts: Mapping[str, Any], measure: str, row: Mapping[str, Any], part: str = "") -> dict[str, Any]:
    """Return one line: what `facts` say of the games, and the value, the interval and the deals of a figure."""
    return {
        **facts,
        "measure": measure,
        "part": part,
        **{name: row.get(name) for name in ("value", "low", "high", "deals")},
    }


def estimate(line: Mapping[str, Any]) -> Estimate:
    """Return the value of a line with its interval and its deals."""
    return Estimate(line["value"], line["low"], line["high"], line["deals"])


def write(file: Path, results: pl.DataFrame, command: str) -> None:
    """Write a table of results. The file is either complete or unchanged."""
    lines = results.with_columns(pl.col(pl.String).replace("", None)).write_csv()  # not quotes around nothing
    write_content(file, f"{COMMENT}{command}\n{lines}")


def merge(file: Path, new: pl.DataFrame, key: Sequence[str], command: str) -> None:
    """Write lines into a table of results, in place of those that agree in the columns `key`; other lines stay."""
    before = read(file) if file.is_file() else new.clear()
    others = before.join(new, on=list(key), how="anti", maintain_order="left")
    write(file, pl.concat([others, new]).sort("game", "table", maintain_order=True), command)


def read(file: Path, view: str = "") -> pl.DataFrame:
    """Return the results in a file; raise ValueError if it is no table of results, or one of another view."""
    try:
        text = file.read_text(encoding="utf-8").partition("\n")[2]
        found = pl.read_csv(io.StringIO(text), schema=SCHEMA).with_columns(pl.col(pl.String).fill_null(""))
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        raise ValueError(f"{file} is damaged, or not a table of results: {error}") from None
    if others := found.filter(~pl.col("view").str.starts_with(view))["view"].to_list():
        raise ValueError(f"{file} has results of {others[0]}; allowed: those of {view}")
    return found


def command_of(file: Path) -> str:
    """Return the command that wrote a table of results."""
    return file.read_text(encoding="utf-8").partition("\n")[0].removeprefix(COMMENT)
