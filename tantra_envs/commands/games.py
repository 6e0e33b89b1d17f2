"""`python -m tantra_envs list`: list the games, their seats and their variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..configuration import game, variants
from ..games import GAMES
from ..programs import cli

NEXT = """
In Python:
  tantra_envs.make("karma", players=3)        an environment of PettingZoo
  gymnasium.make("tantra_envs/Karma-v0")      one seat, for Gymnasium; other agents play the other seats
  tantra_envs.make_batch("karma", n=1024)     many tables at once
"""


@dataclass(frozen=True)
class Args:
    """List the games, their seats and their variants.

    Example: python -m tantra_envs list
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Print one line for every game."""
    with cli.user_errors("train"):
        cli.read(Args, "tantra_envs list", argv)
    for name in GAMES:
        named = variants(name)
        words = [name, *(f"{name}:{variant}" for variant in named)]
        seats = {number for word in words for number in game(word).seats}
        numbers = " to ".join(str(number) for number in sorted({min(seats), max(seats)}))
        print(f"{name:10} {numbers} seats; variants: {', '.join(named) or 'none'}")
    print(NEXT, end="")
    return 0
