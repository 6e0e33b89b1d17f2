"""What should the designer of a game know? One page, put together from the studies, at several levels of skill.

    python -m benchmarks.report karma --agents uniform scripted "search:8 over 20 deals"
    python -m benchmarks.report --config configs/report/tarot.toml --workers 2

Five sentences first; then who wins from which seat, who beats whom, how long games are, how tense, what each freedom is
worth, what cards and formations are worth, and what every rule that may be varied changes. The page is one file, which
a browser shows in light and in dark and prints; all its figures lie beside it as Parquet. The studies' records lie in
its folder under runs/, and each section tells the command that makes it alone, from the same records. The same command
goes on where it was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.report"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
