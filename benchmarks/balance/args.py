"""The options of a study of balance."""

from dataclasses import dataclass

from ..harness.args import StudyArgs


@dataclass(frozen=True, kw_only=True)
class Args(StudyArgs):
    """Study the balance of a game.

    Example: python -m benchmarks.balance karma --vary copies=2,3 --agents uniform,greedy,scripted

    --config FILE reads these options from a TOML file; the command line wins.
    """

    vary: tuple[str, ...] = ()
    """Options and their values, as in copies=2,3 karma_sets=true,false: every combination is a variant, the first one
    the base that the others are compared with. variant=a,b takes named variants."""
    agents: str = "uniform,greedy,scripted"
    """Players, with commas between them, weakest first: each plays all deals against itself, and each pair of them."""
