"""Who wins from which seat?"""

from __future__ import annotations

from tantra_envs.core.game import Game

from ...harness.figures import mean
from ..question import Question, places


def question(game: Game) -> Question:
    """The score of each place."""
    who = "team" if game.partners else "seat"
    scores = places("score", len(game.teams))
    return Question(
        "Who wins from which seat?",
        f"The score of each {who} by who acts first: the share of the others that it beats, 0.5 is even.",
        "score",
        [mean(f"{who} {place}", score, bounds=(0.0, 1.0)) for place, score in enumerate(scores, start=1)],
        even=0.5,
    )
