"""Agents by name: `load("search:8,without=buying", game)`, `load_all(["greedy", "my_agent.py:MyAgent"], game)`.

`tantra_envs.opponents.specs` defines the grammar of the names. This package adds programs (`text:COMMAND`) and
ablations (`search:64,without=buying+selling`, see `tantra_envs.ablations`) to the agents of `tantra_envs.opponents`.

An agent has a `name` and `act(obs, rng)`, see `tantra_envs.core.observation.Agent`. It can also have an `origin`: a
mapping of numbers and strings that identifies it, for example by its seed and a digest of its weights. For an agent in
a user's file it contains the digest of the file. Studies read it with `origin(agent)` and store it with their results.
"""

from __future__ import annotations

from collections.abc import Iterable

from tantra_envs.cli import only_commands
from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.opponents import OPPONENTS, loading, origin, playing_as
from tantra_envs.opponents.loading import Kind
from tantra_envs.opponents.specs import AgentSpec, parse_list

__all__ = ["AGENTS", "Agent", "AgentSpec", "Observation", "load", "load_all", "origin", "playing_as"]

only_commands(__name__)

AGENTS: dict[str, Kind] = {
    **OPPONENTS,
    "text": Kind("agents.text:program", "command", required=True),
}
WITHOUT = "without"  # the option of every agent that lists its ablations


def load(spec: str | AgentSpec, game: Game) -> Agent:
    """Return the agent that `spec` names, ready to play `game`.

    Raises:
        ValueError: The agent is unknown, its options are not allowed, or it does not fit the game.
    """
    parsed = loading.parse(spec, AGENTS)
    if WITHOUT not in parsed.options:
        return loading.load(parsed, game, AGENTS)
    from .restricted import Restricted

    return Restricted(load(parsed.lacking(WITHOUT), game), game, parsed.options[WITHOUT].split("+"))


def load_all(specs: Iterable[str | AgentSpec], game: Game) -> list[Agent]:
    """Return one agent for each entry of a list; raise ValueError as `load` does."""
    return [load(spec, game) for spec in parse_list(specs)]
