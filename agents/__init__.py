"""Agents by name: `load("search:8,without=buying", game)`, `load_all(["greedy", "my_agent.py:MyAgent"], game)`.

The grammar of the names is in `tantra_envs.opponents.specs`. To the agents of `tantra_envs.opponents` this package adds
programs (`text:COMMAND`) and ablations (`search:64,without=buying+selling`, see `tantra_envs.ablations`).

An agent has a `name` and `act(obs, rng)`, as `tantra_envs.core.observation.Agent` says. It may also have an `origin`, a
mapping in plain numbers and words that says where it comes from (its seed, a digest of its weights; of an own agent the
digest of its file): studies ask for it by `origin(agent)` and keep it with their results.
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
WITHOUT = "without"  # the option of every agent that names its ablations


def load(spec: str | AgentSpec, game: Game) -> Agent:
    """Make the agent that `spec` names, ready to play `game`.

    Raises:
        ValueError: There is no such agent, its options are not allowed, or it does not suit the game.
    """
    parsed = loading.parse(spec, AGENTS)
    if WITHOUT not in parsed.options:
        return loading.load(parsed, game, AGENTS)
    from .restricted import Restricted

    return Restricted(load(parsed.lacking(WITHOUT), game), game, parsed.options[WITHOUT].split("+"))


def load_all(specs: Iterable[str | AgentSpec], game: Game) -> list[Agent]:
    """Make several agents, one for each entry of a list; ValueError as `load` raises it."""
    return [load(spec, game) for spec in parse_list(specs)]
