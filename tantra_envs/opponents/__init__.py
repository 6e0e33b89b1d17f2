"""Agents of this package by name: `opponent("search:16", game)`.

`specs.py` defines the grammar of the names, and `loading.py` makes the agents. To add an agent, add a line to
OPPONENTS.
"""

from __future__ import annotations

from typing import Any

from ..core.game import Game
from ..core.observation import Agent
from .greedy import Greedy
from .ismcts import Ismcts
from .loading import Kind, load
from .scripted import Scripted
from .search import Search
from .specs import AgentSpec
from .uniform import Uniform

__all__ = ["OPPONENTS", "AgentSpec", "opponent", "origin", "playing_as"]

BASE = "base"  # the option of a search that names the agent of its playouts


def opponent(spec: str | AgentSpec, game: Game) -> Agent:
    """Return the agent that `spec` names, ready to play `game`; raise ValueError if it is unknown or does not fit."""
    return load(spec, game, OPPONENTS)


def playing_as(spec: str | AgentSpec, game: Game) -> Game:
    """Return the game with another agent as its scripted agent, so that this agent plays the playouts.

    Raises:
        ValueError: `spec` names neither the scripted agent nor a network that can be compiled into playouts.
    """
    agent = opponent(spec, game)
    if isinstance(agent, Scripted):
        return game
    if not hasattr(agent, "playing"):
        text = AgentSpec.parse(spec).text
        raise ValueError(f"{text} cannot play in playouts; allowed: scripted, learned, learned:NAME, ppo:FILE")
    played: Game = agent.playing()
    return played


def origin(agent: Any) -> dict[str, Any]:
    """Return the `origin` of an agent or of a game's scripted agent; empty if it has none."""
    return dict(getattr(agent, "origin", {}))


def _search(game: Game, spec: AgentSpec) -> Search:
    """Return a search over the scripted agent, or over the agent that the option `base` names."""
    if BASE not in spec.options:
        return Search(game, spec.words)
    base = spec.options[BASE]
    played = playing_as(base, game)
    agent = Search(played, spec.lacking(BASE).words)
    agent.name = spec.text
    agent.origin |= {"base": base, **origin(played.scripted)}
    return agent


OPPONENTS: dict[str, Kind] = {
    "uniform": Kind(lambda game, spec: Uniform(game)),
    "greedy": Kind(lambda game, spec: Greedy(game)),
    "scripted": Kind(lambda game, spec: Scripted(game)),
    "search": Kind(_search, "samples"),
    "ismcts": Kind(lambda game, spec: Ismcts(game, spec.words), "simulations"),
    "learned": Kind(f"{__name__}.learned:learned", "name"),  # imported when loaded, because it reads model files
    "ppo": Kind(f"{__name__}.learned:model_file", "file", required=True),
}
