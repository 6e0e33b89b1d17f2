"""Options that several commands share."""

from dataclasses import dataclass
from pathlib import Path

from tantra_envs.cli import FolderOptions, GameOptions, WorkerOptions
from tantra_envs.matches.match import SIDE_BY_SIDE

MOST = (1 << 31) - 1  # the largest allowed count


@dataclass(frozen=True, kw_only=True)
class DealOptions:
    """Options of the deals to play."""

    deals: int = 1000
    """Deals of every line-up, each with all rotations of its seats."""
    seed: int = 0
    """Seed of the deals and of the agents."""
    shard: int = SIDE_BY_SIDE
    """Deals saved together; another number draws other random numbers."""


@dataclass(frozen=True, kw_only=True)
class PrecisionOptions:
    """Option of commands that can stop early."""

    precision: float | None = None
    """Stop once the score of every agent is known to plus or minus this, for example 0.02."""


@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """Option of commands whose results become pages of the site."""

    results: Path | None = None
    """Second file for the results, for make docs."""


@dataclass(frozen=True)
class PlayOptions(FolderOptions, WorkerOptions, DealOptions, GameOptions):
    """Options of all commands that play deals into records.

    GameOptions comes last because the game is the first argument.
    """
