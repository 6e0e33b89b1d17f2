"""`python -m tantra_envs puzzle`: print a puzzle, its solution, or the credit of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .. import puzzles
from ..programs import cli


@dataclass(frozen=True)
class Args:
    """Print a puzzle with a proven best answer, made from a seed.

    Example: python -m tantra_envs puzzle karma --seed 7 --solution

    Without a game it lists the kinds of puzzles.
    """

    kind: str | None = None
    """Game, or GAME/KIND such as karma/win. The kinds of a game take turns by seed."""
    seed: cli.Natural = field(default=0, kw_only=True)
    """Seed of the puzzle. Benchmarks use 1000000 and more."""
    solution: bool = field(default=False, kw_only=True)
    """Print the solution and its proof too."""
    answer: str | None = field(default=None, kw_only=True)
    """Text to be checked; its credit is printed instead of the puzzle."""


def main(argv: Sequence[str] | None = None) -> int:
    """Print what the options ask for."""
    with cli.user_errors("train"):
        options = cli.read(Args, "tantra_envs puzzle", argv)
        puzzle = None if options.kind is None else puzzles.make(options.kind, options.seed)
    with cli.work():
        print("\n".join(_lines(puzzle, options)))
    return 0


def _lines(puzzle: puzzles.Puzzle | None, options: Args) -> list[str]:
    if puzzle is None:
        return [f"{name}  {task}" for name, task in puzzles.kinds().items()]
    if options.answer is not None:
        checked = puzzle.examine(options.answer)
        lines = [f"credit: {checked.credit:g}", *([checked.error] if checked.error else [])]
    else:
        lines = [puzzle.prompt]
    if options.solution:
        lines += ["", f"Solution: {puzzle.solution}", puzzle.proof]
    return lines
