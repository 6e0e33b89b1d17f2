"""How often does the lead change?"""

from __future__ import annotations

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import mean
from ..question import Question


def question(game: Game) -> Question:
    """Changes of the lead in a game."""
    return Question(
        "How often does the lead change?",
        "How often in a game the lead passes to another: to who stands better than everybody else. While the best are "
        "level it stays where it was.",
        "changes in a game",
        [mean("lead changes", pl.col("lead_changes"))],
    )
