"""What a study of restricted play found: a table on the screen; the page, its pictures and the results beside it."""

from __future__ import annotations

from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from tantra_envs.files import write_json
from tantra_envs.workers import Run

from ..harness.formatting import is_sure, number, with_ends, write_page
from ..harness.parquet import write_parquet
from ..harness.themes import write_both
from .plots import picture
from .study import Bar, Played, Study, play

Row = dict[str, Any]
EVEN = 0.5


def write(study: Study, run: Run, command: str) -> None:
    """Play, write all files, print the table."""
    found = content(study, play(study, run), command)
    rows = found["rows"]
    write_json(study.page.with_suffix(".json"), found)
    write_parquet(study.folder / "figures.parquet", pl.DataFrame(rows))
    pictures = write_both(study.page, study.page.stem, lambda: picture(found), "restricted")
    values: dict[str, Any] = {"study": study, "found": found, "told": sentences(rows), "worth": in_words}
    names = {theme: file.name for theme, file in pictures.items()}
    write_page(study.page, "benchmarks.restricted", **values, pictures=names)
    screen = Console()
    screen.print(_table(rows))
    screen.print(f"kept: {study.page}, its pictures and {study.page.stem}.json; {study.folder}", soft_wrap=True)


def content(study: Study, played: Played, command: str) -> Row:
    """Command, settings, and a row for each bar."""
    return {
        **{"command": command, "title": study.game.title, "table": study.table, "players": study.game.players},
        **{"config": study.game.options.changed(study.game.config), "seed": study.seed},
        "rows": [_row(bar, played, name) for name, bar in study.bars.items()],
    }


def _row(bar: Bar, played: Played, name: str) -> Row:
    """A bar in plain numbers: what the freedom is worth is what the player without it scores less than even."""
    match = played.matches[name]
    score = match.score(0)
    return {
        **{"agent": bar.agent, "freedom": bar.name, "without": bar.freedom.without},
        **{"worth": EVEN - score.mean, "low": EVEN - score.high, "high": EVEN - score.low, "deals": score.n},
        **{"score": score.mean, "lost": played.lost[name], "truncated": match.truncated},
    }


def in_words(row: Row) -> str:
    """What a freedom is worth, with its interval."""
    return with_ends(row["worth"], row["low"], row["high"], 3, signed=True)


def sentences(rows: list[Row]) -> list[str]:
    """For each player the freedoms it would not want to miss, those it would do better without, and the others."""
    told = []
    for agent in dict.fromkeys(row["agent"] for row in rows):
        own = sorted((row for row in rows if row["agent"] == agent), key=lambda row: -row["worth"])
        sure = [row for row in own if is_sure(row["low"], row["high"])]
        parts = {
            "surely better with": [row["freedom"] for row in sure if row["worth"] > 0],
            "surely better without": [row["freedom"] for row in reversed(sure) if row["worth"] < 0],
            "not surely told apart by": [row["freedom"] for row in own if row not in sure],
        }
        said = [f"{verdict} {', '.join(f'`{name}`' for name in names)}" for verdict, names in parts.items() if names]
        told.append(f"`{agent}` is {'; '.join(said)}.")
    return told


def _table(rows: list[Row]) -> Table:
    table = Table("player", "without", "worth of the freedom", "deals", "missed, times a game")
    for row in rows:
        table.add_row(row["agent"], row["freedom"], in_words(row), f"{row['deals']:,}", number(row["lost"], 1))
    return table
