"""The options of a study of balance."""

from dataclasses import dataclass

from tantra_envs.matches.match import SIDE_BY_SIDE

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
    one_at_a_time: bool = False
    """The base has the first value of every option, and each other value is a variant of its own."""
    agents: str = "uniform,greedy,scripted"
    """Players, with commas between them, weakest first: each plays all deals against itself, and each pair of them; one
    in words as "search:8 over 50 deals" so many, and whoever it meets."""
    strongest: bool = False
    """Only the games of the last player: against itself, and alone among copies of each other."""
    shard: int = SIDE_BY_SIDE
    """Deals that are played side by side, and kept when finished. Another number draws other random numbers."""
