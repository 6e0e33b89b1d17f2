"""The options of a tournament."""

from dataclasses import dataclass

from tantra_envs.matches.match import SIDE_BY_SIDE

from ..harness.args import StudyArgs


@dataclass(frozen=True, kw_only=True)
class Args(StudyArgs):
    """Let agents play a tournament.

    Example: python -m benchmarks.tournament karma --agents uniform,greedy,scripted --deals 1000 --workers 2

    Another: python -m benchmarks.tournament --game karma --players 4 --form distinct --precision 0.02

    --config FILE reads these options from a TOML file; the command line wins.
    """

    agents: str = "uniform,greedy,scripted"
    """Two or more players, with commas between them."""
    form: str = "one-vs-rest"
    """one-vs-rest = each agent alone among copies of each other; distinct = different agents at every table."""
    shard: int = SIDE_BY_SIDE
    """Deals that are played side by side, and kept when finished. Another number draws other random numbers."""
