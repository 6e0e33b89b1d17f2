"""The options of tuning."""

from dataclasses import dataclass

from ..harness.args import PageArgs


@dataclass(frozen=True, kw_only=True)
class Args(PageArgs):
    """Find the rules that come nearest to goals.

    Example: python -m benchmarks.tune karma --vary copies=2,3 karma_sets=true,false --toward length=120 seats=even

    --config FILE reads these options from a TOML file; the command line wins.
    """

    vary: tuple[str, ...] = ()
    """Options and the values they may take, as in copies=2,3 karma_sets=true,false; the first of each are the rules as
    they are, that the others are compared with. variant=a,b takes named variants."""
    toward: tuple[str, ...] = ("seats=even",)
    """Goals: seats=even, length=ACTIONS, cut-off=SHARE of games, skill=SCORE of the first agent against the second,
    comeback=SHARE of games in which the last at half time ends in the better half, lead-changes=NUMBER in a game. A
    tenth of the length or of the changes weighs as much as a tenth of a point of score or share."""
    agents: str = "scripted,greedy"
    """Who plays, one or two: the first against itself, and alone among copies of the second, which tells of skill."""
    deals: int = 512
    """Deals that decide about a variant, at most. The nearest and the rules as they are play as many again."""
    shard: int = 32
    """Deals that every variant plays; those that are not given up play twice as many again and again, up to --deals,
    which must be a multiple. Another number draws other random numbers."""
    trials: int = 24
    """At most so many variants are tried; all if there are no more."""
