"""The options of a study of behaviour."""

from dataclasses import dataclass

from ..harness.args import PageArgs


@dataclass(frozen=True, kw_only=True)
class Args(PageArgs):
    """Count what agents do in a game.

    Example: python -m benchmarks.behaviour karma --agents scripted,greedy,uniform --deals 200

    Another: python -m benchmarks.behaviour karma --agents "learned:karma,scripted,search:16 over 50 deals,uniform"

    --config FILE reads these options from a TOML file; the command line wins.
    """

    agents: str | None = None
    """Players to study, with commas between them, each as PLAYER or PLAYER over N deals; None =
    learned:GAME,scripted,uniform. The first is compared with the second, and of four or more the third is, too."""
    among: str = "scripted"
    """Who sits in all other seats."""
