"""Report a study: its page, its figures as JSON and Parquet, and a short table on the screen."""

from __future__ import annotations

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..harness.formatting import digits, is_clear, with_ends, write_results
from ..harness.parquet import write_parquet
from .figures import HEADLINES, SCHEMA, Row, figures
from .page import write_study_page
from .results import content
from .study import Counts, Study
from .verdict import to_act

SHOWN = ("seats", "skill", "length", "tension")  # sections of the table on the screen


def write(study: Study, counts: Counts, command: str) -> None:
    """Write all files and print the headlines."""
    every = figures(study, counts)
    scores = [float(table["score"].max()) for table in counts.tallies.values()]  # type: ignore[arg-type]
    results = content(study, every, command, max(scores, default=1.0))
    write_results(results, study.folder / "results.json", study.results)
    write_parquet(study.folder / "figures.parquet", pl.DataFrame(every.rows, SCHEMA))
    page = study.folder / f"{study.games[study.base].id}.html"
    write_study_page(page, results)
    screen = Console()
    screen.print(_table(every.rows))
    screen.print(f"saved in {study.folder}: {page.name}, results.json, figures.parquet, records", soft_wrap=True)


def _table(rows: list[Row]) -> Table:
    """Return the headlines of every variant and line-up, with the changes from the first variant."""
    names = [measure.name for measure in HEADLINES]
    shown = [row for row in rows if row["section"] in SHOWN and row["measure"] in names]
    variants = list(dict.fromkeys(row["variant"] for row in shown))
    heads = [head for i, variant in enumerate(variants) for head in ((variant, "change") if i else (variant,))]
    table = Table("", "line-up", *heads)
    for key in dict.fromkeys(map(_key, shown)):
        by_variant = {row["variant"]: row for row in shown if _key(row) == key}
        name, lineup, seat = key
        cells: list[str | Text] = [f"{name}, {to_act(seat)}" if seat else name, lineup]
        for variant in variants:
            row = by_variant.get(variant)
            cells += [_value(row)] if variant == variants[0] else [_value(row), _change(row)]
        table.add_row(*cells)
    return table


def _key(row: Row) -> tuple[str, str, int]:
    return row["measure"], row["lineup"], row["seat"]


def _value(row: Row | None) -> Text:
    return Text(with_ends(row["value"], row["low"], row["high"], digits(row["value"])) if row else "-")


def _change(row: Row | None) -> Text:
    """Return the change of a figure from the first variant, bold if it is clear."""
    if row is None or row["change"] is None:
        return Text("-")
    places = digits(row["value"])
    text = with_ends(row["change"], row["change_low"], row["change_high"], places, signed=True)
    return Text(text, style="bold" if is_clear(row["change_low"], row["change_high"], places) else "")
