"""How long the exact solver takes for the puzzles of Tantrix, on one core.

    python -m benchmarks.speed.puzzle_solver --seconds 60

Every solution is played out on a table: the rules say whether the puzzle is solved, not the solver.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from tantra_envs import cli

PROGRAM = "benchmarks.speed.puzzle_solver"


@dataclass(frozen=True)
class Args:
    """Solve puzzles of Tantrix, one after the other.

    Example: python -m benchmarks.speed.puzzle_solver --puzzles 20,30,red --seconds 60
    """

    puzzles: str = ",".join([*map(str, range(3, 31)), "green", "yellow", "white", "blue", "red"])
    """Discovery by the number of tiles, Rainbow by colour; with commas between them."""
    seconds: float = 60.0
    """Time limit for each."""
    seed: int = 1
    """Decides the order in which outlines are tried."""


def main(words: Sequence[str] | None = None) -> int:
    """Read the options, solve, print a table."""
    with cli.user_errors("bench"):
        args = cli.read(Args, PROGRAM, words)
        from rich.console import Console
        from rich.table import Table

        import tantra_envs
        from tantra_envs.games.tantrix import puzzle_player as tantrix_puzzles

        games = [tantra_envs.game("tantrix", **_config(word)) for word in args.puzzles.split(",")]
    console, table = Console(), Table("puzzle", "tiles", "solved", "outlines", "tiles laid", "seconds")
    tantrix_puzzles.solve(tantra_envs.game("tantrix", mode="rainbow", puzzle="blue"), 60.0)  # compiled before the clock
    with console.status("") as status:
        for game in games:
            name = str(game.config["puzzle"])

            def tell(outlines: int, laid: int, name: str = name) -> None:
                status.update(f"{name}: {outlines} outlines, {laid:,} tiles laid")

            result = tantrix_puzzles.solve(game, args.seconds, tell, args.seed)
            if result.board:
                tantrix_puzzles.played(game, result.board)  # raises if the rules do not agree
            solved = "yes" if result.board else "there is none" if result.sure else "not in time"
            kit = tantrix_puzzles.kit_size(game)
            table.add_row(name, str(kit), solved, str(result.outlines), f"{result.laid:,}", f"{result.seconds:.2f}")
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
