"""The facts about Nim that the checks of all games need."""

from __future__ import annotations

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

BASE = {"players": 2}
TABLES = [{"players": 2}, {"players": 2, "heap": 5}]


def zero_sum(game: Game) -> bool:
    """Return whether all rewards add up to zero."""
    return True


def invariants(game: Game, state: States) -> None:
    """Check that there are never more tokens than at the start."""
    assert 0 <= state["left"][0] <= game.config["heap"]
