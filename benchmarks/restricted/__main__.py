"""What is a rule worth? The same player without one of its freedoms, alone among players that have all of them.

    python -m benchmarks.restricted karma --deals 500
    python -m benchmarks.restricted tantra --agents scripted "search:16 over 50 deals" --without buying selling

Duplicate deals with seats or teams rotated: what the restricted player scores below 0.5 is what the freedom is worth
to one who alone goes without it. A page with its pictures and results, figures.parquet (a row for each bar) and records
lie under runs/. The same command goes on where it was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.restricted"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
