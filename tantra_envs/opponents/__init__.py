"""Players that come with the suite, by name: `opponent("scripted", game)`. A new one is a line in OPPONENTS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.game import Game
from ..core.observation import Agent
from .greedy import Greedy
from .scripted import Scripted
from .uniform import Uniform

OPPONENTS: dict[str, Callable[[Game], Agent]] = {"uniform": Uniform, "greedy": Greedy, "scripted": Scripted}


def opponent(name: Any, game: Game) -> Agent:
    """The player of that name for `game`; ValueError for a name that is not in OPPONENTS."""
    if not isinstance(name, str) or name not in OPPONENTS:
        raise ValueError(f"unknown opponent {name!r}; opponents: {', '.join(OPPONENTS)}")
    return OPPONENTS[name](game)
