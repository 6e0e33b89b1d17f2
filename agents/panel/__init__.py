"""The frozen agent of the benchmark's public panel: `panel:learned`.

It is a copy of the trained agents for the tables of the suite. Its files never change, so `learned` can become better
without making results of the benchmark invalid. Training may meet it.
"""

from __future__ import annotations

from pathlib import Path

from tantra_envs.core.game import Game
from tantra_envs.opponents import AgentSpec
from tantra_envs.opponents.learned import LearnedAgent

KIND = "panel"  # the name of such agents before the colon
LEARNED = "learned"
WEIGHTS = Path(__file__).with_name("weights")


def file_of(game: str) -> Path:
    """Return the model file of `panel:learned` for a game."""
    return WEIGHTS / f"{game}-{LEARNED}.safetensors"


def agent(game: Game, spec: AgentSpec) -> LearnedAgent:
    """Return the agent of `panel:learned`.

    Raises:
        ValueError: There is no such agent for this game.
    """
    file = file_of(game.id)
    if spec.argument != LEARNED or spec.options or not file.is_file():
        allowed = f"{KIND}:{LEARNED}, in games of the suite"
        raise ValueError(f"{game.name}: agent {spec.text!r} is not allowed; allowed: {allowed}")
    return LearnedAgent(game, file, spec.text)
