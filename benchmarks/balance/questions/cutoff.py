"""How many games never end by themselves?"""

from __future__ import annotations

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import share
from ..question import Question


def question(game: Game) -> Question:
    """The share of games that were cut off."""
    return Question(
        "How many games are cut off?",
        f"The share of games that reach `{game.cutoff}` or another limit before they are over. "
        "Players without chance of their own may go round in circles; such games weigh heavily in the mean length.",
        "share of games",
        [share("cut off", pl.col("truncated"))],
    )
