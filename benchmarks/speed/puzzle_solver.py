"""How long the exact solver takes for the puzzles of Tantrix, on one core.

    python -m benchmarks.speed.puzzle_solver --puzzles 20,30,red

Every solution is played out on a table: the rules say whether the puzzle is solved, not the solver.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tantra_envs import cli

PROGRAM = "benchmarks.speed.puzzle_solver"


@dataclass(frozen=True)
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


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, solve, print a table."""
    with cli.user_errors("bench"):
        args = cli.read(Args, PROGRAM, words)
        from rich.console import Console
        from rich.table import Table

        import tantra_envs
        from tantra_envs.games.tantrix.players.puzzle import kit_size, played
        from tantra_envs.games.tantrix.puzzles.solver import solve

        games = [tantra_envs.game("tantrix", **_config(word)) for word in args.puzzles.split(",")]
    console, table = Console(), Table("puzzle", "tiles", "solved", "outlines", "tiles laid", "seconds")
    solve(tantra_envs.game("tantrix", mode="rainbow", puzzle="blue"))  # compiled before the clock
    with console.status("") as status:
        for game in games:
            name = str(game.config["puzzle"])

            def tell(outlines: int, laid: int, name: str = name) -> None:
                status.update(f"{name}: {outlines} outlines, {laid:,} tiles laid")

            start = time.perf_counter()
            result = solve(game, args.nodes, tell, args.seed)
            seconds = time.perf_counter() - start
            if result.board:
                played(game, result.board)  # raises if the rules do not agree
            solved = "yes" if result.board else "there is none" if result.sure else "nodes used up"
            kit = kit_size(game)
            table.add_row(name, str(kit), solved, str(result.outlines), f"{result.laid:,}", f"{seconds:.2f}")
    console.print(table)
    return 0


def _config(word: str) -> dict[str, object]:
    """The configuration of a puzzle in words."""
    word = word.strip()
    if word.isdigit():
        return {"mode": "discovery", "puzzle": int(word)}
    return {"mode": "rainbow", "puzzle": word}


if __name__ == "__main__":
    sys.exit(main())
