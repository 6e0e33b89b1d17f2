"""Tournaments: agents over the same duplicate deals, seats or teams rotated, with 95 % intervals.

    python -m benchmarks.tournament karma --agents uniform,greedy,scripted --deals 1000
    python -m benchmarks.tournament --config configs/tournaments/karma.toml --workers 2 --precision 0.01

Score: the share of the other seats, or teams, that an agent beats; 0.5 is always even. Standings, pay-off matrix,
ratings, alpha-rank, pictures and records of all games lie under runs/. The same command goes on where it was stopped,
and the same settings give the same numbers on like machines and with any number of workers.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.tournament"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
