"""How much of a score's spread is luck with the cards to come? Games are played, and told with and without it.

    python -m benchmarks.luck --config configs/luck.toml
    python -m benchmarks.luck --compare "search:16 against scripted in tantrix over 200 deals" --worlds 64

Two kinds of games: of a player against itself, every deal once, of which it is known that a seat drawn by lot scores a
half; and of one player among copies of another, over duplicate deals. Page, pictures, results and records lie under
runs/. The same command goes on where it was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.luck"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
