"""How often does the last come back?"""

from __future__ import annotations

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import mean, share
from ..question import Question
from ..trajectory import HALF


def question(game: Game) -> Question:
    """What becomes of who is last alone after half of the game."""
    score = pl.col(f"last_score_{HALF}")
    return Question(
        "How often does the last come back?",
        "Of those who stand last alone after half of a game's actions: how many end in the better half of the table, "
        "and their mean score. Half would mean that the first half of a game decides nothing.",
        "share, score",
        [share("ends in the better half", score > 0.5), mean("score", score, bounds=(0.0, 1.0))],
        even=0.5,
    )
