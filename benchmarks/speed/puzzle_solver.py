"""How long the exact solver takes for the puzzles of Tantrix, on one core.

    python -m benchmarks.speed.puzzle_solver --puzzles 20,30,red

Every solution is played out on a table: the rules say whether the puzzle is solved, not the solver.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import tantra_envs
from tantra_envs import cli
from tantra_envs.games.tantrix.players.puzzle import kit_size, played
from tantra_envs.games.tantrix.puzzles.solver import solve

PROGRAM = "benchmarks.speed.puzzle_solver"


@dataclass(frozen=True, kw_only=True)
class Args:
    """Solve puzzles of Tantrix, one after the other.

    Example: python -m benchmarks.speed.puzzle_solver --puzzles 20,30,red --nodes 1000000
    """

    puzzles: str = ",".join([*map(str, range(3, 31)), "green", "yellow", "white", "blue", "red"])
    """Discovery by the number of tiles, Rainbow by colour; with commas between them."""
    nodes: int = 20_000_000
    """Tiles laid and steps along outlines after which the solver gives a puzzle up."""
    seed: int = 1
    """Decides the order in which outlines are tried."""


def main(argv: Sequence[str] | None = None) -> None:
    """Read the options, solve, print a table."""
    with cli.user_errors("bench"):
        args = cli.read(Args, PROGRAM, argv)
        cli.check_ranges(args, nodes=(1, math.inf), seed=(0, math.inf))
        from rich.console import Console
        from rich.table import Table

        games = [tantra_envs.game("tantrix", **_config(word)) for word in args.puzzles.split(",")]
    console, table = Console(), Table("puzzle", "tiles", "solved", "outlines", "tiles laid", "seconds")
    with cli.work(), console.status("") as status:
        solve(tantra_envs.game("tantrix", mode="rainbow", puzzle="blue"))  # compiled before the clock
        for game in games:
            table.add_row(*_solved(game, args, status.update))
    console.print(table)


def _solved(game: tantra_envs.Game, args: Args, tell: Callable[[str], None]) -> tuple[str, ...]:
    """A row of the table."""
    name = str(game.config["puzzle"])

    def progress(outlines: int, laid: int) -> None:
        tell(f"{name}: {outlines} outlines, {laid:,} tiles laid")

    start = time.perf_counter()
    result = solve(game, args.nodes, progress, args.seed)
    seconds = time.perf_counter() - start
    if result.board:
        played(game, result.board)  # raises if the rules do not agree
    found = "yes" if result.board else "there is none" if result.sure else "nodes used up"
    return name, str(kit_size(game)), found, str(result.outlines), f"{result.laid:,}", f"{seconds:.2f}"


def _config(word: str) -> dict[str, Any]:
    """The configuration of a puzzle in words."""
    word = word.strip()
    if word.isdigit():
        return {"mode": "discovery", "puzzle": int(word)}
    return {"mode": "rainbow", "puzzle": word}


if __name__ == "__main__":
    main()
