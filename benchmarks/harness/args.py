"""The options that all studies have."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class StudyArgs:
    """What is played, how much of it, and where it is kept."""

    game: str = "karma"
    """A game, or game:variant. It may stand first, without --game."""
    players: int | None = None
    """Seats at a table; None = as the game or variant has it."""
    deals: int = 1000
    """Deals that every line-up plays, once for every rotation of its seats, or teams."""
    precision: float | None = None
    """Stop before, once the score of every agent is known to plus or minus this, e.g. 0.02."""
    seed: int = 0
    """Decides the deals and all chance of the agents."""
    workers: int = 1
    """Processes that play; the results are the same for any number."""
    ray: bool = False
    """Let the workers run on Ray: the one at RAY_ADDRESS, or one begun here."""
    name: str | None = None
    """Folder of the results; None = made from these options."""
    runs: Path = Path("runs")
    """Where the folder is."""
