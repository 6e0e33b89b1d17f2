"""Options that the commands share, and checks of the agents that they name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from agents import AgentSpec
from tantra_envs.core.options import Within, require
from tantra_envs.matches.match import SIDE_BY_SIDE, Seed
from tantra_envs.programs.cli import FolderOptions, GameOptions, WorkerOptions

MOST = (1 << 31) - 1  # the largest allowed count
Count = Annotated[int, Within(1, MOST)]


@dataclass(frozen=True, kw_only=True)
class DealOptions:
    """Options of the deals to play."""

    deals: Count = 1000
    """Deals of every line-up, each with all rotations of its seats."""
    seed: Seed = 0
    """Seed of the deals and of the agents."""
    shard: Count = SIDE_BY_SIDE
    """Deals saved together; another number draws other random numbers."""


@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """Option of commands whose results become pages of the site."""

    results: Path | None = None
    """Second file for the results, for make docs."""


@dataclass(frozen=True)
class ShowOptions:
    """Show what was played: tables on the screen, and every figure as a line of a table.

    Example: python -m benchmarks show scores runs/my-tournament
    """

    folders: tuple[Path, ...]
    """Folders of runs."""
    results: Path | None = field(default=None, kw_only=True)
    """Second file for the figures, as CSV."""


@dataclass(frozen=True)
class PlayOptions(FolderOptions, WorkerOptions, DealOptions, GameOptions):
    """Options of all commands that play deals into records.

    GameOptions comes last because the game is the first argument.
    """


def check_agents(words: Iterable[str], names: Sequence[str], fewest: int = 1, option: str = "agents") -> None:
    """Raise ValueError if two agents have the same name, or if there are too few agents."""
    for name in names:
        if names.count(name) > 1:
            clashing = " ".join(word for word, own in zip(words, names, strict=False) if own == name)
            problem = f"{option}={clashing!r} is not allowed: each has the name {name!r}"
            raise ValueError(f"{problem}; allowed: agents that differ in their names, such as ppo:FILE,name=NAME")
    require(option, " ".join(words), len(names) >= fewest, "two or more that differ")


def deals_by_agent(words: Iterable[str], deals: int, option: str = "agents", fewest: int = 1) -> dict[str, int]:
    """Return the deals of every agent: those of `AGENT@DEALS`, else `deals`; raise ValueError for too few."""
    limits: dict[str, int] = {}
    for word in words:
        spec = AgentSpec.parse(word)
        limit = deals if spec.deals is None else spec.deals
        require(option, word, fewest <= limit <= MOST, f"{fewest} deals or more")
        require(option, " ".join(words), spec.text not in limits, "every agent once")
        limits[spec.text] = limit
    return limits


def without_limits(words: Iterable[str], option: str = "agents") -> list[str]:
    """Return the agents of an experiment in which all play the same deals; raise ValueError for `AGENT@DEALS`."""
    specs = [AgentSpec.parse(word) for word in words]
    for spec in specs:
        if spec.deals is not None:
            raise ValueError(f"{option}={spec.text}@{spec.deals} is not allowed; allowed: agents without @DEALS")
    return [spec.text for spec in specs]
