"""When is a game decided, and how decisive is its last tenth?"""

from __future__ import annotations

import polars as pl

from tantra_envs.core.game import Game

from ...harness.figures import mean, share
from ..question import Question
from ..trajectory import TENTHS


def question(game: Game) -> Question:
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
