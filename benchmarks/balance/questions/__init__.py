"""The questions asked of every game, by subject; `questions` has them in the order of a report."""

from __future__ import annotations

from tantra_envs.core.game import Game

from ..games import load
from ..question import Question
from .drama import comebacks, decisions, lead_changes
from .length import cut_offs, length, phases
from .results import seats, spread
from .skill import skill

EVERYWHERE = (seats, skill, length, cut_offs, spread, lead_changes, comebacks, decisions, phases)


def questions(game: Game) -> list[Question]:
    """All questions to a game, its own ones last."""
    return [question(game) for question in EVERYWHERE] + load(game).questions(game)
