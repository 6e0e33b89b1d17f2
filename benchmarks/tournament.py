"""A round robin: every pair of agents over the same duplicate deals, seats or teams rotated, with 95 % intervals.

    python -m benchmarks.tournament --game karma --agents uniform,greedy,scripted --deals 1000

Score: the share of the other seats, or teams, that an agent beats; 0.5 is always even. Results and the
pay-off matrix lie under runs/. The same command goes on where it was stopped: finished pairings are kept. The same
settings give the same numbers on any machine; `benchmarks/pairings.py` says who sits where.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agents import cli

from . import results

PROGRAM = "benchmarks.tournament"


@dataclass(frozen=True)
class Args:
    """Let agents play a round robin.

    Example: python -m benchmarks.tournament --game karma --agents uniform,greedy,scripted --deals 1000

    --config FILE reads these options from a TOML file; the command line wins.
    """

    game: str = "karma"
    """A game, or game:variant."""
    agents: str = "uniform,greedy,scripted"
    """Two or more players, with commas between them."""
    players: int | None = None
    """Seats at a table; None = as the game or variant has it."""
    deals: int = 1000
    """Deals of each pairing; each is played once for every seat, or team, of the lone agent."""
    seed: int = 0
    """Decides the deals and all chance of the agents."""
    name: str | None = None
    """Folder of the results; None = made from the options above."""
    runs: Path = Path("runs")
    """Where the folder is."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    with cli.mistakes("bench,train"):
        args = cli.read(Args, PROGRAM, words)
        from . import round_robin, standings

        tournament = round_robin.prepare(args)
    try:
        round_robin.play(tournament, results.command(PROGRAM))
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last finished pairing", file=sys.stderr)
        return 130
    standings.report(tournament)
    return 0


if __name__ == "__main__":
    sys.exit(main())
