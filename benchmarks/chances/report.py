"""What a study of chances found: a table on the screen; the page, its picture and the results beside it."""

from __future__ import annotations

from typing import Any

import polars as pl
from rich.console import Console
from rich.table import Table

from tantra_envs.files import write_json
from tantra_envs.workers import Run

from ..harness.formatting import with_ends, write_page
from ..harness.parquet import write_parquet
from ..harness.themes import write_both
from .plots import picture
from .reading import EARLY, LOST, SURE, figures
from .sampling import TENTHS
from .study import Study, play

Row = dict[str, Any]
SHOWN = {"winner": "the winner's chance", "favourite": "score of the favourite", "leader": "score of who stands best",
         "decided": "decided for good"}  # fmt: skip


def write(study: Study, run: Run, command: str) -> None:
    """Play, write all files, print what concerns whole games."""
    games = play(study, run)
    found = content(study, games, command)
    write_json(study.page.with_suffix(".json"), found)
    write_parquet(study.folder / "games.parquet", games)
    rows = [{"agent": own["agent"], **row} for own in found["agents"] for row in own["figures"]]
    write_parquet(study.folder / "figures.parquet", pl.DataFrame(rows, infer_schema_length=None))
    pictures = write_both(study.page, study.page.stem, lambda: picture(found), "chances")
    values: dict[str, Any] = {"study": study, "found": found, "shown": SHOWN, "tenths": TENTHS}
    values |= {"sure": SURE, "lost": LOST, "early": EARLY}
    values |= {"pictures": {theme: file.name for theme, file in pictures.items()}}
    values |= {"at": at, "whole": whole, "in_words": in_words, "decided": decided}
    values |= {"reliability": reliability, "calibrated": calibrated}
    write_page(study.page, "benchmarks.chances", **values)
    screen = Console()
    screen.print(_table(found["agents"]))
    screen.print(f"kept: {study.page}, its pictures and {study.page.stem}.json; {study.folder}", soft_wrap=True)


def content(study: Study, games: pl.DataFrame, command: str) -> Row:
    """Command, settings, and the figures of each agent."""
    by_agent = {agent: games.filter(pl.col("agent") == agent) for agent in study.agents.values()}
    return {
        **{"command": command, "title": study.game.title, "table": study.table, "players": study.game.players},
        **{"config": study.game.options.changed(study.game.config), "seed": study.seed, "worlds": study.worlds},
        "agents": [
            {"agent": agent, "games": len(own), "plies": own["plies"].mean(), "figures": figures(own, study.seed)}
            for agent, own in by_agent.items()
        ],
    }


def at(own: Row, group: str, tenth: int) -> Row:
    """The figure of a curve in a tenth of the game."""
    return next(row for row in own["figures"] if (row["group"], row["at"]) == (group, tenth))


def whole(own: Row) -> list[Row]:
    """The figures about whole games."""
    return [row for row in own["figures"] if row["group"] == "games"]


def reliability(own: Row, kind: str) -> list[tuple[Row, Row]]:
    """Of each range of chances of a kind that arose: what they said, and what came of them."""
    rows = [row for row in own["figures"] if row["group"] == kind and row["value"] is not None]
    said, came = ([row for row in rows if row["figure"] == name] for name in ("chance", "score"))
    return list(zip(said, came, strict=True))


def calibrated(own: Row, kind: str) -> str:
    """In how many ranges what came agrees with what was said, in words."""
    pairs = reliability(own, kind)
    within = sum(came["low"] <= said["value"] <= came["high"] for said, came in pairs)
    return f"{within} of {len(pairs)}"


def decided(own: Row) -> str:
    """When half of the games are decided, in words."""
    late = next((k for k in TENTHS if (at(own, "decided", k)["value"] or 0) >= 0.5), None)
    return "only at the very end" if late is None else f"by tenth {late + 1}"


def in_words(row: Row) -> str:
    """A value with its interval; a dash where there was nothing to count."""
    return "-" if row["value"] is None else with_ends(row["value"], row["low"], row["high"], 3)


def _table(agents: list[Row]) -> Table:
    table = Table("", *(own["agent"] for own in agents))
    for i, row in enumerate(whole(agents[0])):
        table.add_row(row["figure"], *(in_words(whole(own)[i]) for own in agents))
    table.add_row("half of the games are decided", *(decided(own) for own in agents))
    return table
