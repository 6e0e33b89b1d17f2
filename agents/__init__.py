"""Agents of training and benchmarks: networks in torch, and all agents by name.

`load` and `load_all` load the agents of `tantra_envs.opponents`, and those of the benchmark's panels that never change.
"""

from __future__ import annotations

from collections.abc import Iterable

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.opponents import OPPONENTS, AgentSpec, opponent, origin
from tantra_envs.opponents.loading import Kind, parse
from tantra_envs.opponents.specs import parse_list
from tantra_envs.programs.cli import only_commands

from . import held_out, panel

__all__ = ["AGENTS", "Agent", "AgentSpec", "Observation", "load", "load_all", "origin"]

_FROZEN = {held_out.KIND: held_out.agent, panel.KIND: panel.agent}
AGENTS = {**OPPONENTS, **{name: Kind(make, "name", required=True) for name, make in _FROZEN.items()}}


def load(spec: str | AgentSpec, game: Game) -> Agent:
    """Return the agent that `spec` names, ready to play `game`.

    Raises:
        ValueError: The agent is unknown, its options are not allowed, or it does not fit the game.
    """
    parsed = parse(spec, AGENTS)
    return _FROZEN[parsed.name](game, parsed) if parsed.name in _FROZEN else opponent(spec, game)


def load_all(specs: Iterable[str | AgentSpec], game: Game) -> list[Agent]:
    """Return one agent for each name of a list; raise ValueError as `load` does."""
    return [load(spec, game) for spec in parse_list(specs)]


only_commands(__name__)
