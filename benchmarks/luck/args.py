"""The options of a study of luck."""

from dataclasses import dataclass

from ..harness.args import PageArgs


@dataclass(frozen=True, kw_only=True)
class Args(PageArgs):
    """See how much of a score's spread is luck with the cards to come, and tell scores without it.

    Example: python -m benchmarks.luck --alone "scripted in tantrix over 400 deals" --worlds 16

    --config FILE reads these options from a TOML file; the command line wins.
    """

    alone: tuple[str, ...] = ()
    """Players against themselves, each as PLAYER [in GAME] [for N players] [over N deals]: known to score a half."""
    compare: tuple[str, ...] = ("greedy against scripted",)
    """Players among copies of others, each as PLAYER against PLAYER [in GAME] [for N players] [over N deals]."""
    worlds: int = 16
    """Worlds with which the table as it is is compared, eight times a game."""
