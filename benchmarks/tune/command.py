"""The command `python -m benchmarks tune`."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..harness import command
from ..harness.command import PlayOptions, ResultOptions


@dataclass(frozen=True, kw_only=True)
class Args(ResultOptions, PlayOptions):
    """Search for the options of a game that come nearest to goals.

    Example: python -m benchmarks tune karma --vary copies=2,3 karma_sets=true,false --toward length=120 seats=even

    Clearly worse variants are pruned early. The best variant and the base then play fresh deals.
    """

    vary: tuple[str, ...] = ()
    """Options and the values they may take; the first values are the base. variant=a,b takes named variants."""
    toward: tuple[str, ...] = ("seats=even",)
    """Goals: seats=even, length=ACTIONS, cut-off=SHARE, skill=SCORE of the first agent against the second,
    comeback=SHARE of games in which the last team at half ends in the better half, lead-changes=NUMBER per game."""
    agents: tuple[str, ...] = ("scripted", "greedy")
    """One or two agents: the first against itself, and alone among copies of the second."""
    deals: int = 512
    """Deals of a variant at most; the best variant and the base play equally many fresh deals."""
    shard: int = 32
    """Deals of the first stage; every further stage has twice as many, up to --deals."""
    trials: int = 24
    """Variants tried at most."""


def main(argv: Sequence[str]) -> int:
    """Play and report the tuning that the options describe."""
    return command.main(Args, "tune", argv)
