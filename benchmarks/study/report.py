"""Report a study: its page, its figures as JSON and Parquet, and a short table on the screen."""

from __future__ import annotations

import polars as pl
from rich.console import Console
from rich.table import Table

from ..harness.formatting import digits, with_ends
from ..harness.parquet import write_parquet
from .figures import HEADLINES, SCHEMA, Row, figures
from .page import write_study_page
from .results import content, write_results
from .study import Counts, Study

SHOWN = ("seats", "skill", "length", "tension")  # sections of the table on the screen


def write(study: Study, counts: Counts, command: str) -> None:
    """Write all files and print the headlines."""
    every = figures(study, counts)
    results = content(study, every, command)
    for file in (study.folder / "results.json", study.results):
        if file is not None:
            write_results(file, results)
    write_parquet(study.folder / "figures.parquet", pl.DataFrame(every.rows, SCHEMA))
    page = study.folder / f"{study.games[study.base].id}.html"
    write_study_page(page, results)
    screen = Console()
    screen.print(_table(every.rows))
    screen.print(f"saved in {study.folder}: {page.name}, results.json, figures.parquet, records", soft_wrap=True)


def _table(rows: list[Row]) -> Table:
    """Return the headlines of every variant and line-up."""
    names = [measure.name for measure in HEADLINES]
    shown = [row for row in rows if row["section"] in SHOWN and row["measure"] in names and row["seat"] in (0, 1)]
    variants = list(dict.fromkeys(row["variant"] for row in shown))
    table = Table("", "line-up", *variants)
    for name, lineup in dict.fromkeys((row["measure"], row["lineup"]) for row in shown):
        cells = {row["variant"]: row for row in shown if (row["measure"], row["lineup"]) == (name, lineup)}
        seat = ", seat 1" if next(iter(cells.values()))["seat"] else ""
        table.add_row(name + seat, lineup, *(_value(cells.get(variant)) for variant in variants))
    return table


def _value(row: Row | None) -> str:
    return with_ends(row["value"], row["low"], row["high"], digits(row["value"])) if row else "-"
