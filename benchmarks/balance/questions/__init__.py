"""The questions asked of every game, one file each, in the order of a report."""

from __future__ import annotations

from tantra_envs.core.game import Game

from ..games import load
from ..question import Question
from . import comeback, cutoff, decision, lead, length, phases, seats, skill, spread

EVERYWHERE = (seats, skill, length, cutoff, spread, lead, comeback, decision, phases)


def questions(game: Game) -> list[Question]:
    """All questions to a game, its own ones last."""
    return [module.question(game) for module in EVERYWHERE] + load(game).questions(game)
