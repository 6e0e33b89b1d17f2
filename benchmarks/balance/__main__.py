"""Is a game fair, tense, and a matter of skill? Many games between known agents, under one rule set or several.

    python -m benchmarks.balance karma --vary copies=2,3 --agents uniform,greedy,scripted
    python -m benchmarks.balance tarot --vary variant=hand,french talon=blind,take_first --deals 500
    python -m benchmarks.balance --config configs/balance/karma.toml

Every variant is played over the same deals. report.html, games.parquet (a row for each game) and figures.parquet (a
row for each number of the report) lie under runs/. The same command goes on where it was stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import run_folder as results
from tantra_envs import cli

PROGRAM = "benchmarks.balance"


@dataclass(frozen=True)
class Args:
    """Study the balance of a game; GAME comes first, or as --game.

    Example: python -m benchmarks.balance karma --vary copies=2,3 --agents uniform,greedy,scripted

    --config FILE reads these options from a TOML file; the command line wins.
    """

    game: str = "karma"
    """A game, or game:variant."""
    vary: tuple[str, ...] = ()
    """Fields and their values, as in copies=2,3 karma_sets=true,false: every combination is a variant, the first one
    the base that the others are compared with. variant=a,b takes named variants."""
    agents: str = "uniform,greedy,scripted"
    """Players, with commas between them, weakest first."""
    deals: int = 1000
    """Deals of each variant: each agent plays them against itself, and each pair with seats or teams rotated."""
    seed: int = 0
    """Decides the deals and all chance of the agents."""
    name: str | None = None
    """Folder of the results; None = made from the options above."""
    runs: Path = Path("runs")
    """Where the folder is."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play, report."""
    given = list(sys.argv[1:] if words is None else words)
    if given and not given[0].startswith("-"):
        given.insert(0, "--game")
    with cli.mistakes("bench,train"):
        args = cli.read(Args, PROGRAM, given)
        from . import report, study

        prepared = study.prepare(args)
    try:
        study.play(prepared, results.command(PROGRAM))
        report.write(prepared)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from the last finished block of deals", file=sys.stderr)
        return 130
    except OSError as error:  # a full disk, say
        print(f"error: {error}; finished blocks are kept, the same command goes on from there", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
