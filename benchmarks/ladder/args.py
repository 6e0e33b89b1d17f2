"""The options of a ladder."""

from dataclasses import dataclass

from ..harness.args import PageArgs


@dataclass(frozen=True, kw_only=True)
class Args(PageArgs):
    """See how far search gets in a game, and what a larger budget is worth.

    Example: python -m benchmarks.ladder karma --deals 200 --workers 2

    Another: python -m benchmarks.ladder tarot:hand --rungs scripted search:8 "search:64 over 100 deals" oracle

    --config FILE reads these options from a TOML file; the command line wins.
    """

    rungs: tuple[str, ...] = ()
    """Players from the lowest rung to the highest, each as PLAYER or "PLAYER over N deals"; oracle is search that sees
    all cards. None = uniform, greedy, scripted, learned:GAME if it fits, search:4, :16, :64, :256, oracle."""
    below: int | None = None
    """At most so many deals against the rung below; None = as many as against the scripted player."""
    compare: tuple[str, ...] = ()
    """Further comparisons, as "PLAYER against PLAYER [in GAME:VARIANT] [for N players] [over N deals]"."""
    shard: int = 32
    """Deals that are played side by side, and kept when finished. Another number draws other random numbers."""
