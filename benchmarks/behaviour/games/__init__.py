"""What is counted in a particular game: one file for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

from ...harness.by_game import game_module
from ...harness.transitions import Ints
from ..quantities import Counter, Section
from ..transitions import AgentTransitions


class Observer:
    """Counts what happens at n tables."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        """`seats` (n, size of a team) are the agent's, `plies` (n,) how long the games will be."""

    def observe(self, t: AgentTransitions) -> None:
        """One action at each table still going."""
        raise NotImplementedError

    def end(self, states: States) -> None:
        """The last positions, shape (n,); where rounds or hands are counted one by one nothing is left to do."""


class GameModule(Protocol):
    """A file in this folder. Where it does not fit all variants, ONLY has the options that must have these values."""

    INTRODUCTION: str  # what a reader must know, in Markdown
    SECTIONS: tuple[Section, ...]  # in the order of the page
    GameObserver: type[Observer]


def load(game: Game) -> GameModule:
    """The file of a game; ValueError if there is none, or if it does not fit this variant."""
    module: GameModule = game_module(__name__, game)
    only: Mapping[str, Any] = getattr(module, "ONLY", {})
    for option, value in only.items():
        if game.config[option] != value:
            found = game.config[option]
            raise ValueError(f"{game.name}: {option}={found!r} cannot be studied; allowed: {value!r}")
    return module
