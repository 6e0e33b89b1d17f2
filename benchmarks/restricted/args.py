"""The options of a study of restricted play."""

from dataclasses import dataclass

from ..harness.args import PageArgs


@dataclass(frozen=True, kw_only=True)
class Args(PageArgs):
    """See what each freedom of a game is worth to players who have it.

    Example: python -m benchmarks.restricted tantra --agents scripted "search:16 over 50 deals"

    --config FILE reads these options from a TOML file; the command line wins.
    """

    agents: tuple[str, ...] = ("scripted", "search:16 over 100 deals")
    """Players, each as PLAYER or "PLAYER over N deals": each meets itself without one freedom."""
    without: tuple[str, ...] = ()
    """The freedoms to give up, one at a time, as agents/freedoms names them; None = all of the game."""
