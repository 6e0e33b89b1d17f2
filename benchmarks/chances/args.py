"""The options of a study of chances."""

from dataclasses import dataclass

from ..harness.args import PageArgs


@dataclass(frozen=True, kw_only=True)
class Args(PageArgs):
    """See how the chances to win move through games, when games are decided, and whether the chances are true.

    Example: python -m benchmarks.chances karma --agents scripted "search:16 over 50 deals"

    --config FILE reads these options from a TOML file; the command line wins.
    """

    agents: tuple[str, ...] = ("scripted",)
    """Players, each as PLAYER or "PLAYER over N deals": each plays its deals against itself."""
    worlds: int = 64
    """Playouts of every seat at every tenth of a game."""
