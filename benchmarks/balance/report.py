"""The report of a study: one HTML file with everything inside, and its figures as Parquet."""

from __future__ import annotations

from typing import Any

import jinja2
import polars as pl
from rich.console import Console

from benchmarks.harness import run_folder as results

from .answers import answers, asked
from .figures import MIRROR, Question
from .plots import picture
from .study import Study

OPEN = 8  # figures of a table that is shown without being asked for


def write(study: Study) -> None:
    """Write report.html and figures.parquet beside the games, and say where."""
    found = answers(study)
    results.replace(study.folder / "figures.parquet", found.write_parquet)
    page = _template().render(
        title=next(iter(study.games.values())).title,
        settings=study.settings,
        command=results.read(study.folder / "study.json")["command"],
        variants=list(study.games),
        games=pl.scan_parquet(study.file).select(pl.len()).collect().item(),
        sections=[section for question in asked(study).values() if (section := _section(question, found))],
    )
    results.replace(study.folder / "report.html", lambda part: part.write_text(page, encoding="utf-8"))
    Console().print(f"kept in {study.folder}: report.html, figures.parquet, games.parquet")


def _section(question: Question, found: pl.DataFrame) -> dict[str, Any] | None:
    """What the page says about a question; None where no games answer it, as with one agent only."""
    own = found.filter(pl.col("question") == question.title)
    if own.is_empty():
        return None
    variants = own["variant"].unique(maintain_order=True).to_list()
    tables = [_table(lineup[0], rows, variants) for lineup, rows in own.group_by("lineup", maintain_order=True)]
    return {
        "question": question,
        "mirror": question.games == MIRROR,
        "picture": picture(question, own),
        "tables": tables,
        "open": len(question.figures) <= OPEN,
    }


def _table(lineup: str, rows: pl.DataFrame, variants: list[str]) -> dict[str, Any]:
    """A row for each figure, a column for each variant."""
    cells = {(row["figure"], row["variant"]): _cell(row) for row in rows.iter_rows(named=True)}
    names = rows["figure"].unique(maintain_order=True).to_list()
    return {"lineup": lineup, "rows": [(name, [cells.get((name, variant)) for variant in variants]) for name in names]}


def _cell(row: dict[str, Any]) -> dict[str, Any] | None:
    if row["value"] is None:
        return None
    cell: dict[str, Any] = {"value": _number(row["value"]), "ends": f"{_number(row['low'])} .. {_number(row['high'])}"}
    if row["change"] is not None:
        low, high = row["change_low"], row["change_high"]
        cell |= {
            "change": f"{_signed(row['change'])} [{_signed(low)}, {_signed(high)}]",
            "differs": low > 0 or high < 0,
        }
    return cell


def _number(value: float) -> str:
    """Three digits behind the point for shares, fewer for large numbers."""
    digits = 3 if abs(value) < 10 else 1 if abs(value) < 1000 else 0
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "−")  # noqa: RUF001


def _signed(value: float) -> str:
    return ("+" if value >= 0 else "") + _number(value)


def _template() -> jinja2.Template:
    loader = jinja2.PackageLoader("benchmarks.balance", "pages")
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True).get_template(
        "report.html"
    )
