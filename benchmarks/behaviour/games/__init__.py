"""What is told about a particular game: one file for each.

INTRODUCTION                            what a reader must know, in Markdown
SECTIONS                                the figures, in the order of the page
ONLY                                    where not all variants can be told of: the fields that must have these values
Watch(game, seats, plies, tally)        counts for them; `see` is shown every round, `end` the last positions
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Protocol

from tantra_envs.core.game import Game
from tantra_envs.core.state import States

from ..figures import Ints, Section, Tally

if TYPE_CHECKING:
    from ..observer import Round


class Watch(Protocol):
    """Counts what happens at n tables."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, tally: Tally) -> None:
        """`seats` (n, size of a team) are the agent's, `plies` (n,) how long the games will be."""

    def see(self, r: Round) -> None:
        """A round at the tables that are still going."""

    def end(self, states: States) -> None:
        """The last positions, shape (n,)."""


class About(Protocol):
    """A file in this folder."""

    INTRODUCTION: str
    SECTIONS: tuple[Section, ...]
    Watch: type[Watch]


def about(game: Game) -> About:
    """The file of a game; ValueError if nobody has written it, or if it does not speak of this variant."""
    name = f"{__name__}.{game.id}"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"{game.name}: nobody has said yet what is to be counted of its players")
    module = importlib.import_module(name)
    for field, told in getattr(module, "ONLY", {}).items():
        if game.config[field] != told:
            raise ValueError(f"{game.name}: {field}={game.config[field]!r} is not told of; allowed: {told!r}")
    found: About = module  # type: ignore[assignment]
    return found
