"""Agents that come with the suite, by name: `opponent("search:16", game)`.

`specs.py` is the grammar of the names, `loading.py` makes the agents. A new agent is a line in OPPONENTS.
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
    """Make the agent that `spec` names, ready to play `game`; ValueError if there is none, or it does not suit it."""
    return load(spec, game, OPPONENTS)


def playing_as(spec: str | AgentSpec, game: Game) -> Game:
    """Return the game with an agent in the scripted agent's place, so that playouts are played by it.

    Raises:
        ValueError: It is neither the scripted agent nor a network that can be compiled into playouts.
    """
    agent = opponent(spec, game)
    if isinstance(agent, Scripted):
        return game
    if not hasattr(agent, "playing"):
        text = AgentSpec.parse(spec).text
        raise ValueError(f"{text} cannot play on in playouts; allowed: scripted, learned, learned:NAME, ppo:FILE")
    played: Game = agent.playing()
    return played


def origin(agent: Any) -> dict[str, Any]:
    """Return where an agent, or a game's scripted agent, comes from, as far as it says."""
    return dict(getattr(agent, "origin", {}))


def _search(game: Game, spec: AgentSpec) -> Search:
    """Make a search over the scripted agent, or over the agent that the option `base` names."""
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
    "learned": Kind(f"{__name__}.learned:learned", "name"),  # imported when asked for: they read model files
    "ppo": Kind(f"{__name__}.learned:model_file", "file", required=True),
}
