"""How deep is the skill in each game? Strength over worlds, and the ceiling of who sees all cards, in one picture.

    python -m benchmarks.depth

Nothing is played: what stands beside the ladders' pages is read, and a page with its pictures written. The intervals of
a rise suppose that its two scores are independent, which makes them too wide where both are of the same deals.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tantra_envs import cli

PROGRAM = "benchmarks.depth"


@dataclass(frozen=True, kw_only=True)
class Args:
    """Write the page on depth of skill from the results of ladders.

    Example: python -m benchmarks.depth --results docs/search --page runs/depth.md
    """

    results: Path = Path("docs/search")
    """The folder of the ladders' results, as `python -m benchmarks.ladder` leaves them."""
    page: Path = Path("docs/depth.md")
    """The page to write; its pictures lie beside it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options and the results, write the page."""
    with cli.user_errors("bench"):
        args = cli.read(Args, PROGRAM, argv)
        from .reading import depths
        from .report import write

        write(args.page, depths(args.results), cli.command(PROGRAM, argv))
    return 0


if __name__ == "__main__":
    sys.exit(main())
