"""The report of a study: one HTML file with everything inside, and its games and figures as Parquet."""

from __future__ import annotations

from typing import Any

import polars as pl
from rich.console import Console

from tantra_envs.workers import Run

from ..harness.formatting import digits, is_sure, number, write_page
from ..harness.parquet import write_parquet
from .answers import answers, asked
from .plots import picture
from .question import SELF_PLAY, Question
from .study import Study, play

OPEN = 8  # figures of a table that is shown without being asked for


def write(study: Study, run: Run, command: str) -> None:
    """Play, write games.parquet, figures.parquet and report.html, and say where."""
    games = play(study, run)
    found = answers(study, games)
    write_parquet(study.folder / "games.parquet", games)
    write_parquet(study.folder / "figures.parquet", found)
    write_page(
        study.folder / "report.html",
        "benchmarks.balance",
        title=next(iter(study.games.values())).title,
        agents=study.agents,
        seed=study.seed,
        command=command,
        variants=list(study.games),
        games=len(games),
        deals=games["deal"].n_unique(),
        sections=[section for question in asked(study).values() if (section := _section(question, found))],
    )
    Console().print(f"kept in {study.folder}: report.html, figures.parquet, games.parquet, records", soft_wrap=True)


def _section(question: Question, found: pl.DataFrame) -> dict[str, Any] | None:
    """What the page says about a question; None where no games answer it, as with one agent only."""
    own = found.filter(pl.col("question") == question.title)
    if own.is_empty():
        return None
    variants = own["variant"].unique(maintain_order=True).to_list()
    tables = [_table(str(lineup[0]), rows, variants) for lineup, rows in own.group_by("lineup", maintain_order=True)]
    return {
        "question": question,
        "self_play": question.games == SELF_PLAY,
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
    cell = {"value": _rounded(row["value"]), "ends": f"{_rounded(row['low'])} .. {_rounded(row['high'])}"}
    if row["change"] is None:
        return {**cell, "change": None}
    low, high = row["change_low"], row["change_high"]
    change = f"{_rounded(row['change'], True)} [{_rounded(low, True)}, {_rounded(high, True)}]"
    return {**cell, "change": change, "differs": is_sure(low, high)}


def _rounded(value: float, signed: bool = False) -> str:
    """Three digits behind the point for shares, fewer for large numbers."""
    return number(value, digits(value), signed).replace("-", "−")  # noqa: RUF001
