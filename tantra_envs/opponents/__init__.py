"""Agents that come with the suite, by name: `opponent("search:16", game)`.

`specs.py` is the grammar of the names, `loading.py` makes the agents. A new agent is a line in OPPONENTS.
"""

from __future__ import annotations

import re

from ..core.game import Game
from ..core.observation import Agent
from .greedy import Greedy
from .ismcts import Ismcts
from .loading import Kind, load
from .scripted import Scripted
from .search import Search
from .specs import AgentSpec
from .uniform import Uniform

__all__ = ["OPPONENTS", "AgentSpec", "opponent"]

OPPONENTS: dict[str, Kind] = {
    "uniform": Kind(lambda game, spec: Uniform(game)),
    "greedy": Kind(lambda game, spec: Greedy(game)),
    "scripted": Kind(lambda game, spec: Scripted(game)),
    "search": Kind(lambda game, spec: Search(game, spec.words), "samples"),
    "ismcts": Kind(lambda game, spec: Ismcts(game, spec.words), "simulations"),
}


def opponent(spec: str | AgentSpec, game: Game) -> Agent:
    """Make the agent that `spec` names, ready to play `game`; ValueError if there is none, or it does not suit it."""
    return load(spec, game, OPPONENTS)


def opponents(names: str, game: Game) -> list[Agent]:
    """Make the agents of names with commas between them. Deprecated: pass lists, and call `opponent` for each."""
    return [opponent(name, game) for name in apart(names)]


def apart(names: str) -> list[str]:
    """Split names with commas between them; `key=value` parts stay with the name before. Deprecated: pass lists."""
    return [name.strip() for name in re.split(r",(?!\s*\w+=)", names)]
