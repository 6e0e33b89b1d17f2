"""The command `python -m benchmarks tournament`."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..harness import command
from ..harness.command import PlayOptions, PrecisionOptions


@dataclass(frozen=True, kw_only=True)
class Args(PrecisionOptions, PlayOptions):
    """Compare agents over the same duplicate deals, with seats or teams rotated and 95 % intervals.

    Example: python -m benchmarks tournament karma --agents uniform greedy scripted --deals 1000 --workers 2

    Standings, pay-off matrix, ratings, pictures and records are saved under runs/.
    Run the same command again to continue.
    """

    agents: tuple[str, ...] = ("uniform", "greedy", "scripted")
    """Two or more agents."""
    form: str = "one-vs-rest"
    """Line-ups: one-vs-rest = each agent alone among copies of each other, distinct = different agents at a table."""


def main(argv: Sequence[str]) -> int:
    """Play the tournament that the options describe."""
    return command.main(Args, "tournament", argv)
