"""What the checks for all games need to know about Nim."""

from __future__ import annotations

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

BASE = {"players": 2}
TABLES = [{"players": 2}, {"players": 2, "heap": 5}]


def zero_sum(game: Game) -> bool:
    """Always."""
    return True


def hides(game: Game) -> bool:
    """All lies open."""
    return False


def invariants(game: Game, state: States) -> None:
    """There are never more tokens than in the beginning."""
    assert 0 <= state["left"][0] <= game.config["heap"]
