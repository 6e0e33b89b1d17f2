"""Which rules make a game as one wants it? Variants are tried toward goals, poor ones given up early.

    python -m benchmarks.tune karma --vary copies=2,3 karma_sets=true,false --toward length=120 --toward seats=even
    python -m benchmarks.tune --config configs/tune/tarot.toml

Optuna chooses the variants, the first one being the rules as they are. All play the same deals, more and more of them;
one that is surely further from all goals together than the best so far, by the deals both played, is given up. The best
and the rules as they are then play fresh deals, which tell what it changes and what that costs elsewhere. A page with
its picture and results, figures.parquet and the records lie under runs/. The same command goes on where it was stopped:
it goes the same way again, and what is recorded is not played twice.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.tune"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, tune, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
