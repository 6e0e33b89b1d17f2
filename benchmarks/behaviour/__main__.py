"""How do players behave? Games of each among the same others, over the same deals, are recorded and counted.

    python -m benchmarks.behaviour karma --agents scripted,greedy,uniform --deals 200
    python -m benchmarks.behaviour tarot:hand --agents ppo:runs/tarot/model.zip,scripted,uniform
    python -m benchmarks.behaviour --config configs/behaviour/karma.toml

Every agent plays one seat, or one team, at tables of `--among`; each deal is played once for every rotation. The games
are kept under runs/ and used again by the same command, which goes on where it was stopped. From them it writes a page
with its pictures.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import run_folder as results
from benchmarks.harness.workers import WorkerError, executor
from tantra_envs import cli

PROGRAM = "benchmarks.behaviour"


@dataclass(frozen=True)
class Args:
    """Tell how agents behave in a game; GAME comes first, or as --game.

    Example: python -m benchmarks.behaviour karma --agents scripted,greedy,uniform --deals 200

    --config FILE reads these options from a TOML file; the command line wins.
    """

    game: str = "karma"
    """A game, or game:variant."""
    players: int | None = None
    """Seats at a table; None = as the game or variant has it."""
    agents: str | None = None
    """Players to tell of, with commas between them; None = learned:GAME,scripted,uniform."""
    among: str = "scripted"
    """Who sits in all other seats."""
    deals: int = 1000
    """Deals that every agent plays, each once for every rotation of the seats, or teams."""
    seed: int = 0
    """Decides the deals and all chance of the agents."""
    workers: int = 1
    """Processes that play; the results are the same for any number."""
    page: Path | None = None
    """The page to write; pictures lie beside it. None = in the folder of the records."""
    name: str | None = None
    """Folder of the records; None = made from the options above."""
    runs: Path = Path("runs")
    """Where the folder is."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, check all that can be checked, play what is missing, count, write the page."""
    given = list(sys.argv[1:] if words is None else words)
    if given and not given[0].startswith("-"):
        given.insert(0, "--game")
    with cli.mistakes("bench,train"):
        args = cli.read(Args, PROGRAM, given)
        from . import page, study

        prepared = study.prepare(args)
        workers = executor(args.workers)
    try:
        with workers as run:
            study.play(prepared, run)
        page.write(prepared, results.command(PROGRAM))
    except KeyboardInterrupt:
        print("stopped; what is played is kept, and the same command goes on from there", file=sys.stderr)
        return 130
    except (WorkerError, OSError) as trouble:  # a killed worker, a full disk
        print(f"error: {trouble}; what is played is kept, and the same command goes on from there", file=sys.stderr)
        return 1
    except ValueError as wrong:  # an agent's illegal action; a record of rules that have changed since
        print(f"error: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
