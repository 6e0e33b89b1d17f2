"""The command `python -m benchmarks rank`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tantra_envs.cli import FolderOptions, WorkerOptions

from ..harness import command
from ..harness.options import ResultOptions


@dataclass(frozen=True)
class AgentOptions:
    """Option that comes first on the command line."""

    agent: str = "scripted"
    """Agent to rank."""


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, WorkerOptions, FolderOptions, AgentOptions):
    """Rank an agent: play the benchmark suite v1.1 against its panel in all games.

    Example: python -m benchmarks rank my_agent.py:MyAgent --games karma tarot --quick

    Every deal is played once from every seat or team. Run the same command again to continue.
    """

    games: tuple[str, ...] = ()
    """Games of the suite to play. [default: all five]"""
    quick: bool = False
    """Play 20 deals only, 5 of them against search:16: about ten CPU seconds for each game."""
    deals: int | None = None
    """Deals against each agent of the panel. [default: 1000, as the suite demands]"""
    search_deals: int | None = None
    """Deals against the slow agent of the panel, search:16. [default: as many as against the others]"""
    label: str | None = None
    """Name of the row in tables. [default: the name of the agent]"""
    decisions: int | None = None
    """Decisions that the agent learned from, as you declare them."""
    cpu_minutes: float | None = None
    """CPU minutes of its training, as you declare them."""
    training: Path | None = None
    """File training.json of a baseline, in place of the two declarations."""


def main(argv: Sequence[str]) -> int:
    """Rank the agent that the options describe."""
    return command.main(Args, "rank", argv)
