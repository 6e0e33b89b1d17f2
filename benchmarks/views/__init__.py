"""Views: each file has a query over the games of a folder, and the tables and pages that show it.

A view is a module with

- `results(played)`, which returns the figures as lines of `harness.results`,
- `show(results, screen)`, which prints them,
- and, where it has pages, `write_pages(folder, results, command)`, which writes them and returns the files.

It may have `Args`, a subclass of `ShowOptions` with options of its own, which `results` takes as its second argument,
`load(folder)` in place of `harness.played.read_folder`, and `check(loaded, args)`, which raises ValueError for options that do not fit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

VIEWS = {
    "scores": "The score of every row of a plan, with its interval.",
    "standings": "The order of agents that met each other, with ratings and the score of every pair.",
    "ladder": "Strength against thinking time.",
    "losses": "Where an agent loses, by phase and kind of action.",
}


@dataclass(frozen=True)
class ShowOptions:
    """Show what was played: tables on the screen, and every figure as a line of a table.

    Example: python -m benchmarks show scores runs/sixty
    """

    folders: tuple[Path, ...]
    """Folders of runs."""
    results: Path | None = field(default=None, kw_only=True)
    """Second file for the figures, as CSV."""
