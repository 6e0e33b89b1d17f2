"""Report a study: its page, its figures as JSON and Parquet, and a short table and the headline on the screen."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..harness.lineups import Lineup
from ..harness.pages import digits, number, usage_table, with_ends, write_results
from ..harness.records import write_parquet
from . import power
from .answers import Evidence, heading, headline
from .page import write_study_page
from .results import Row, content, label_of, rows_of
from .sections import HEADLINES, figures
from .study import Counts, Study

SHOWN = ("seats", "skill", "length", "tension", "agency")  # sections of the table on the screen
REDIRECTED = 200  # columns of the output if it is not a terminal


def write(study: Study, counts: Counts, command: str) -> None:
    """Write all files and print the headlines; of a pilot, print its power."""
    every = figures(study, counts)
    if study.args.power:
        power.write(every.table.to_dicts(), counts.minutes)
        return
    results = content(study, every, command, counts)
    write_results(results, study.folder / "results.json", study.args.results)
    write_parquet(study.folder / "figures.parquet", every.table)
    page = study.folder / f"{study.games[study.base].id}.html"
    write_study_page(page, results)
    screen = Console()
    screen = screen if screen.is_terminal else Console(width=REDIRECTED)
    evidence = Evidence(results, rows_of(results))
    table = _table([row for row in evidence.rows if not row.lineup.is_detail])
    if table.row_count:
        screen.print(table)
    if counts.programs:
        screen.print(usage_table(counts.programs))
    verdict = [f"{heading(results)}:", *(f"- {line}" for line in headline(evidence))]
    screen.print("", *verdict, sep="\n", markup=False, soft_wrap=not screen.is_terminal)
    screen.print(f"saved in {study.folder}: {page.name}, results.json, figures.parquet, records", soft_wrap=True)


def _table(rows: list[Row]) -> Table:
    """Return the headlines of every variant and line-up, with the changes from the first variant."""
    names = [measure.name for measure in HEADLINES]
    shown = [row for row in rows if row.section in SHOWN and row.measure in names]
    shown.sort(key=lambda row: names.index(row.measure))
    variants = list(dict.fromkeys(row.variant for row in shown))
    heads = [head for i, name in enumerate(variants) for head in ((name, "change, * = clear") if i else (name,))]
    table = Table("", *heads, box=None, pad_edge=False, caption="Brackets: 95 % intervals", caption_justify="left")
    measure = ""
    for key in dict.fromkeys(map(_key, shown)):
        by_variant = {row.variant: row for row in shown if _key(row) == key}
        if key[0] != measure:
            measure = key[0]
            table.add_row(Text(measure, style="bold"))
        cells: list[str | Text] = []
        for variant in variants:
            row = by_variant.get(variant)
            cells += [_value(row, len(variants) == 1)] + ([_change(row)] if variant != variants[0] else [])
        table.add_row("  " + _label(*key[1:]), *cells)
    return table


def _key(row: Row) -> tuple[str, str, Lineup, int]:
    return row.measure, row.part, row.lineup, row.seat


def _label(part: str, lineup: Lineup, seat: int) -> str:
    return ", ".join(word for word in (str(lineup), label_of(seat, part)) if word)


def _value(row: Row | None, alone: bool) -> str:
    """Return a figure, with its interval where there is room for it: without changes."""
    if row is None:
        return "-"
    places = digits(row.value)
    return with_ends(row.value, row.low, row.high, places) if alone else number(row.value, places)


def _change(row: Row | None) -> Text:
    """Return the change of a figure from the first variant, bold and with a star if it is clear."""
    if row is None or not row.text_of_change:
        return Text("-")
    return Text(row.text_of_change + " *" * row.changed, style="bold" if row.changed else "")
