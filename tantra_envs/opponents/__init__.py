"""Players that come with the suite, by name: `opponent("search:16", game)`. A new one is a line in OPPONENTS."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..core.game import Game
from ..core.observation import Agent
from .greedy import Greedy
from .ismcts import Ismcts
from .scripted import Scripted
from .search import Search
from .uniform import Uniform

OPPONENTS: dict[str, Callable[..., Agent]] = {
    "uniform": Uniform,
    "greedy": Greedy,
    "scripted": Scripted,
    "search": Search,
    "ismcts": Ismcts,
}
TUNED = ("search", "ismcts")  # those that options may follow, after a colon


def opponent(name: Any, game: Game) -> Agent:
    """The player of that name for `game`; ValueError for a name that is not in OPPONENTS, or options it refuses."""
    word, colon, options = name.partition(":") if isinstance(name, str) else (name, "", "")
    if not isinstance(word, str) or word not in OPPONENTS or (colon and word not in TUNED):
        raise ValueError(f"unknown opponent {name!r}; opponents: {', '.join(OPPONENTS)}")
    return OPPONENTS[word](game, options) if colon else OPPONENTS[word](game)


def opponents(names: str, game: Game) -> list[Agent]:
    """The players of names with commas between them."""
    return [opponent(name, game) for name in apart(names)]


def apart(names: str) -> list[str]:
    """Names with commas between them; what follows a comma as `beyond=2` belongs to the one before."""
    return [name.strip() for name in re.split(r",(?!\s*\w+=)", names)]
