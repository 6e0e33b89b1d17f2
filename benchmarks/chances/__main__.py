"""How tense is a game? Every seat's chance, by playouts from positions of many games, and what became of it.

    python -m benchmarks.chances karma --deals 300
    python -m benchmarks.chances tantra --players 3 --agents scripted "search:16 over 50 deals" --worlds 128

Each agent plays all deals against itself. At every tenth of a game each team is asked what it may hope for: what its
seat cannot know is drawn again for a number of worlds, and the scripted player plays them to the end. A page with its
picture and results, games.parquet (a row for each game), figures.parquet and the records lie under runs/. The same
command goes on where it was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.chances"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
