"""Which phases of the rules are hardly ever reached?"""

from __future__ import annotations

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import share
from ..question import Question


def question(game: Game) -> Question:
    """In how many games each phase asks for a decision."""
    return Question(
        "Which phases are hardly ever reached?",
        "The share of games in which each phase of the rules asks somebody for a decision.",
        "share of games",
        [share(phase, pl.col(f"decisions_{phase}") > 0) for phase in game.phases[:-1]],
    )
