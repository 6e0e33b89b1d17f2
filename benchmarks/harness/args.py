"""The options that all studies have, and what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MOST = (1 << 31) - 1


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


def check_range(field: str, value: int, least: int) -> None:
    """ValueError unless `value` is allowed."""
    if not least <= value <= MOST:
        raise ValueError(f"{field}={value} is not allowed; allowed: {least}..{MOST}")


def check(args: StudyArgs, fewest_deals: int = 1) -> None:
    """ValueError for a number that is not allowed."""
    check_range("deals", args.deals, fewest_deals)
    check_range("seed", args.seed, 0)
    if args.precision is not None and not 0 < args.precision < 1:
        raise ValueError(f"precision={args.precision} is not allowed; allowed: above 0, below 1")


def check_agents(words: str, names: Sequence[str], fewest: int = 1) -> None:
    """ValueError if two agents have the same name, or if there are too few."""
    if len(set(names)) < len(names) or len(names) < fewest:
        allowed = "agents that differ" if fewest == 1 else "two or more that differ"
        raise ValueError(f"agents={words!r} is not allowed; allowed: {allowed}")
