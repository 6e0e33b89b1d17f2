"""How do players behave? Games of each among the same others, over the same deals, are recorded and counted.

    python -m benchmarks.behaviour karma --agents scripted,greedy,uniform --deals 200
    python -m benchmarks.behaviour tarot:hand --agents ppo:runs/tarot/model.safetensors,scripted,uniform
    python -m benchmarks.behaviour --config configs/behaviour/karma.toml

Every agent plays one seat, or one team, at tables of `--among`; each deal is played once for every rotation. The games
are kept under runs/ and used again by the same command, which goes on where it was stopped. From them it writes a page
with its pictures.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ..harness import command
from .args import Args

PROGRAM = "benchmarks.behaviour"


def main(argv: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    return command.main(Args, PROGRAM, argv)


if __name__ == "__main__":
    sys.exit(main())
