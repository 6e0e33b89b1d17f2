"""The page of a game: one HTML file with everything inside, and all its figures as Parquet beside it."""

from __future__ import annotations

from rich.console import Console

from tantra_envs.workers import Run

from ..harness.formatting import write_page
from ..harness.parquet import write_parquet
from ..harness.themes import variables
from .reading import figures
from .sections import sections
from .study import LEVELS, Row, Study, play
from .told import Told


def write(study: Study, run: Run, command: str) -> None:
    """Play what is missing, write the page and its figures."""
    played = play(study, run)
    found = figures(study, played)
    told = Told(found)
    write_parquet(study.page.with_suffix(".parquet"), found)
    write_page(
        study.page,
        "benchmarks.report",
        **{"study": study, "command": command, "players": _players(told), "coded": coded},
        **{"config": study.game.options.changed(study.game.config), "sections": sections(study, played, told)},
        **{"light": variables("light"), "dark": variables("dark")},
    )
    screen = Console()
    screen.print(f"kept: {study.page}, and its figures in {study.page.stem}.parquet", soft_wrap=True)


def coded(text: str) -> list[tuple[str, bool]]:
    """A text in parts, and which of them stood between backticks."""
    return [(part, bool(i % 2)) for i, part in enumerate(text.split("`"))]


def _players(told: Told) -> list[Row]:
    """Who played against itself, and how many deals."""
    return [told.rows(LEVELS, lineup=name)[0] for name in told.levels()]
