"""The options that studies share."""

from dataclasses import dataclass, field
from pathlib import Path

MOST = (1 << 31) - 1  # of what an option counts


@dataclass(frozen=True)
class StudyArgs:
    """What is played, how much of it, and where it is kept."""

    game: str = "karma"
    """A game, or game:variant."""
    players: int | None = field(default=None, kw_only=True)
    """Seats at a table; None = as the game or variant has it."""
    deals: int = field(default=1000, kw_only=True)
    """Deals that every line-up plays, once for every rotation of its seats, or teams."""
    precision: float | None = field(default=None, kw_only=True)
    """Stop before, once the score of every agent is known to plus or minus this, e.g. 0.02."""
    seed: int = field(default=0, kw_only=True)
    """Decides the deals and all chance of the agents."""
    workers: int = field(default=1, kw_only=True)
    """Processes that play; the results are the same for any number."""
    ray: bool = field(default=False, kw_only=True)
    """Let the workers run on Ray: the one at RAY_ADDRESS, or one begun here."""
    name: str | None = field(default=None, kw_only=True)
    """Folder of the results; None = made from these options."""
    runs: Path = field(default=Path("runs"), kw_only=True)
    """Where the folder is."""


@dataclass(frozen=True)
class PageArgs(StudyArgs):
    """The options of studies that write a page, and whose players have numbers of deals of their own."""

    shard: int = field(default=64, kw_only=True)
    """Deals that are played side by side, and kept when finished. Another number draws other random numbers."""
    page: Path | None = field(default=None, kw_only=True)
    """The page to write; pictures and results lie beside it. None = in the folder of the records."""
