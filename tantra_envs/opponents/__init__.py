"""Agents by name: `opponent("search:16", game)`, `load_agents(["greedy", "my_agent.py:MyAgent"], game)`.

`specs.py` defines the grammar of the names, and `loading.py` makes the agents. To add an agent, add a line to
OPPONENTS.

An agent has a `name` and `act(obs, rng)`, see `tantra_envs.core.observation.Agent`. It can also have an `origin`: a
mapping of numbers and strings that identifies it, for example by its seed and a digest of its weights. For an agent in
a user's file it contains the digest of the file. Studies read it with `origin(agent)` and store it with their results.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from ..core.game import Game
from ..core.observation import Agent
from ..core.playouts import Policy
from .critics import Critic
from .ismcts import Ismcts
from .loading import Kind, load, origin
from .scripted import Greedy, Scripted, Uniform
from .search import Search
from .specs import AgentSpec, parse_list

__all__ = ["OPPONENTS", "AgentSpec", "load_agents", "opponent", "origin"]

BASE = "base"  # the option of a search that names the agent of its playouts


@runtime_checkable
class InPlayouts(Protocol):
    """An agent that can be compiled into playouts."""

    def policy(self) -> Policy:
        """Return this agent as the policy of playouts."""
        ...

    def critic(self) -> Critic:
        """Return its value network; raise ValueError if it has none for its game."""
        ...


def opponent(spec: str | AgentSpec, game: Game) -> Agent:
    """Return the agent that `spec` names, ready to play `game`.

    Raises:
        ValueError: The agent is unknown, its options are not allowed, or it does not fit the game.
    """
    return load(spec, game, OPPONENTS)


def load_agents(specs: Iterable[str | AgentSpec], game: Game) -> list[Agent]:
    """Return one agent for each name of a list, ready to play `game`.

    A name is that of an agent (`search:64`), a class in a Python file (`my_agent.py:MyAgent`), a model file
    (`ppo:runs/karma/model.safetensors`) or a program (`text:COMMAND`). Model files play without torch.

    Raises:
        ValueError: An agent is unknown, its options are not allowed, or it does not fit the game.
    """
    return [opponent(spec, game) for spec in parse_list(specs)]


def _search(game: Game, spec: AgentSpec) -> Search:
    """Return a search over the scripted agent, or over the agent that the option `base` names.

    Raises:
        ValueError: `base` names neither the scripted agent nor a network that can be compiled into playouts.
    """
    if BASE not in spec.options:
        return Search(game, spec.words)
    words = spec.options[BASE]
    base = opponent(words, game)
    if not isinstance(base, Scripted) and not isinstance(base, InPlayouts):
        raise ValueError(f"{words} cannot play in playouts; allowed: scripted, learned, learned:NAME, ppo:FILE")
    network = base if isinstance(base, InPlayouts) else None
    critic = network.critic() if network and spec.options.get("leaf") == "value" else None
    agent = Search(game, spec.lacking(BASE).words, network.policy() if network else None, critic)
    agent.name = spec.text
    agent.origin |= {"base": words, **origin(base)}
    if critic is not None:
        agent.origin["critic"] = critic.card.origin["digest"]
    return agent


OPPONENTS: dict[str, Kind] = {
    "uniform": Kind(lambda game, spec: Uniform(game)),
    "greedy": Kind(lambda game, spec: Greedy(game)),
    "scripted": Kind(lambda game, spec: Scripted(game)),
    "search": Kind(_search, "samples"),
    "ismcts": Kind(lambda game, spec: Ismcts(game, spec.words), "simulations"),
    "learned": Kind(f"{__name__}.learned:learned", "name"),  # imported when loaded, because it reads model files
    "strongest": Kind(f"{__name__}.learned:strongest"),
    "ppo": Kind(f"{__name__}.learned:model_file", "file", required=True),
    "text": Kind("tantra_envs.adapters.programs:TextAgent", "command", required=True),
}
