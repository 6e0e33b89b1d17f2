"""The command `python -m benchmarks ladder`."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..harness import command
from ..harness.command import PlayOptions, PrecisionOptions, ResultOptions


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, PrecisionOptions, PlayOptions):
    """Measure strength against thinking time, up to a search that sees all cards.

    Example: python -m benchmarks ladder tarot:hand --rungs scripted search:8 search:64@100 oracle --deals 200

    Every rung plays against the scripted agent and against the rung below, alone among copies of the other.
    """

    rungs: tuple[str, ...] = ()
    """Agents from the lowest rung to the highest; oracle is the open-card search. [default: uniform, greedy, scripted,
    learned:GAME if it fits, search:4, :16, :64, :256, oracle]"""
    below: int | None = None
    """Deals against the rung below at most. [default: as many as against the scripted agent]"""
    compare: tuple[str, ...] = ()
    """More comparisons, each as "AGENT OTHER", "AGENT OTHER GAME" or "AGENT OTHER GAME PLAYERS"."""
    exploiter: str | None = None
    """Search that plays against scripted and trained rungs over playouts of the rung itself, such as search:256@32."""
    shard: int = 32
    """Deals saved together; another number draws other random numbers."""


def main(argv: Sequence[str]) -> int:
    """Play the ladder that the options describe."""
    return command.main(Args, "ladder", argv)
