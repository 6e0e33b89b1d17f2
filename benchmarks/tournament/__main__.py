"""Tournaments: agents over the same duplicate deals, seats or teams rotated, with 95 % intervals.

    python -m benchmarks.tournament --game karma --agents uniform,greedy,scripted --deals 1000
    python -m benchmarks.tournament --config configs/tournaments/karma.toml --workers 2 --precision 0.01

Score: the share of the other seats, or teams, that an agent beats; 0.5 is always even. Standings, pay-off matrix,
ratings, alpha-rank and pictures lie under runs/. The same command goes on where it was stopped, and the same settings
give the same numbers on any machine and with any number of workers. `harness/lineups.py` says who sits where.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tantra_envs import cli
from tantra_envs.matches.match import BLOCK

from ..harness import run_folder as results

if TYPE_CHECKING:
    from ..harness.workers import Run
    from .run import Matches, Tournament

PROGRAM = "benchmarks.tournament"
GOES_ON = "what is finished is kept, and the same command goes on from there"


@dataclass(frozen=True)
class Args:
    """Let agents play a tournament.

    Example: python -m benchmarks.tournament --game karma --agents uniform,greedy,scripted --deals 1000 --workers 2

    Another: python -m benchmarks.tournament --players 4 --form mixed --precision 0.02 --record

    --config FILE reads these options from a TOML file; the command line wins.
    """

    game: str = "karma"
    """A game, or game:variant."""
    agents: str = "uniform,greedy,scripted"
    """Two or more players, with commas between them."""
    players: int | None = None
    """Seats at a table; None = as the game or variant has it."""
    form: str = "pairs"
    """pairs = each agent alone among copies of each other; mixed = different agents at every table."""
    deals: int = 1000
    """Deals of each line-up; each is played once for every rotation of its seats, or teams."""
    precision: float | None = None
    """Stop before, once the score of every agent is known to plus or minus this, e.g. 0.02."""
    seed: int = 0
    """Decides the deals and all chance of the agents."""
    workers: int = 1
    """Processes that play; the results are the same for any number."""
    ray: bool = False
    """Let the workers run on Ray: the one at RAY_ADDRESS, or one begun here."""
    record: bool = False
    """Keep every game with its actions; python -m benchmarks.harness.records reads them."""
    piece: int = BLOCK
    """Deals that are played side by side, and kept when finished. Another number draws other random numbers."""
    name: str | None = None
    """Folder of the results; None = made from the options above."""
    runs: Path = Path("runs")
    """Where the folder is."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    with cli.mistakes("bench,train"):
        args = cli.read(Args, PROGRAM, words)
        from ..harness import workers as executors
        from . import run as round_robin

        tournament = round_robin.prepare(args)
        executor = executors.executor(args.workers, args.ray)
    try:
        with executor as run:
            _play(tournament, run, args.precision)
    except KeyboardInterrupt:
        print(f"stopped; {GOES_ON}", file=sys.stderr)
        return 130
    except (executors.WorkerError, OSError) as trouble:
        print(f"error: {trouble}; {GOES_ON}", file=sys.stderr)
        return 1
    return 0


def _play(tournament: Tournament, run: Run, precision: float | None) -> None:
    from . import report, standings
    from . import run as round_robin

    form, agents = tournament.form, len(tournament.names)

    def enough(matches: Matches) -> bool:
        return max(standings.half_widths(form, agents, matches)) <= precision

    matches = round_robin.play(tournament, run, None if precision is None else enough)
    found = standings.standings(form, agents, matches)
    report.report(tournament, matches, found, results.command(PROGRAM))


if __name__ == "__main__":
    sys.exit(main())
