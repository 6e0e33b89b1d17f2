"""Ladders: what more worlds are worth to search, between uniform play and a search that sees all cards.

    python -m benchmarks.ladder karma --deals 200
    python -m benchmarks.ladder --config configs/ladders/karma.toml --workers 2

Every rung plays against the scripted player and against the rung below, alone among copies of the other, over
duplicate deals with seats or teams rotated; further comparisons stand beside them. A page with its pictures, results
and records lie under runs/. The same command goes on where it was stopped, and the same settings give the same scores
on like machines and with any number of workers; only milliseconds are measured, once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.ladder"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
