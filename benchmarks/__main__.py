"""Run one command of the program `python -m benchmarks`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tantra_envs.programs.cli import run_program

COMMANDS = {
    "play": ("benchmarks.play", "Play the rows of a plan: agents against agents."),
    "show": ("benchmarks.show", "Show what was played: scores, a ladder, where an agent loses."),
    "speed": ("benchmarks.speed.command", "Time the environments, and those of other suites."),
    "tournament": ("benchmarks.presets.tournament", "Compare agents over duplicate deals, with ratings and intervals."),
    "ladder": ("benchmarks.presets.ladder", "Measure strength against thinking time."),
    "rank": ("benchmarks.presets.rank", "Rank an agent on the benchmark suite of all five games."),
    "check": ("benchmarks.check", "Check what was played: every game replayed, and every figure computed again."),
    "exact": ("benchmarks.exact.command", "Compute how exploitable agents are in games small enough to be solved."),
    "study": ("benchmarks.presets.study", "Study a game or a change of its rules: one page with all measures."),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` names; without one, list the commands."""
    return run_program("benchmarks", COMMANDS, argv)


if __name__ == "__main__":
    sys.exit(main())
