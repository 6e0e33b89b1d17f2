"""How tense games are: changes of the lead, whether the last come back, and when all is decided."""

from __future__ import annotations

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import mean, share
from ..question import Question
from ..trajectory import HALF, TENTHS


def lead_changes(game: Game) -> Question:
    """Changes of the lead in a game."""
    return Question(
        "How often does the lead change?",
        "How often in a game the lead passes to another: to who stands better than everybody else. While the best are "
        "level it stays where it was.",
        "changes in a game",
        [mean("lead changes", pl.col("lead_changes"))],
    )


def comebacks(game: Game) -> Question:
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


def decisions(game: Game) -> Question:
    """What the lead is worth after each tenth of a game."""
    leads = {tenth: pl.col(f"leader_score_{tenth}") for tenth in TENTHS}
    return Question(
        "When is a game decided?",
        "The final score of who leads after each tenth of a game's actions: at 0.5 the lead says nothing yet, at 1 all "
        "is decided. The last tenth turns a game when who led before it does not end in the better half.",
        "score, share",
        [
            *(mean(f"leads at {tenth}0 %", lead, bounds=(0.0, 1.0)) for tenth, lead in leads.items()),
            share("turned in the last tenth", leads[max(TENTHS)] <= 0.5),
        ],
        even=0.5,
    )
