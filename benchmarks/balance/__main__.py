"""Is a game fair, tense, and a matter of skill? Many games between known agents, under one rule set or several.

    python -m benchmarks.balance karma --vary copies=2,3 --agents uniform,greedy,scripted
    python -m benchmarks.balance tarot --vary variant=hand,french talon=blind,take_first --deals 500 --workers 2
    python -m benchmarks.balance --config configs/balance/karma.toml

Every variant is played over the same deals. report.html, games.parquet (a row for each game), figures.parquet (a row
for each number of the report) and the records lie under runs/. The same command goes on where it was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.balance"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
