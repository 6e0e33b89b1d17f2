"""Players, and players from words: `parse("greedy,scripted,learned:karma", game)`. A new one is a line in AGENTS."""

from __future__ import annotations

import importlib
import inspect

from tantra_envs.core.game import Game
from tantra_envs.core.observation import Agent, Observation

__all__ = ["AGENTS", "Agent", "Observation", "parse"]

# Each is called with the game, and with what follows a colon in `learned:karma` or `ppo:runs/k7/model.zip`.
AGENTS = {
    "uniform": "tantra_envs.opponents.uniform:Uniform",
    "greedy": "tantra_envs.opponents.greedy:Greedy",
    "scripted": "tantra_envs.opponents.scripted:Scripted",
    "learned": "agents.pretrained:Shipped",
    "ppo": "agents.checkpoint:Learned",
}


def parse(text: str, game: Game) -> list[Agent]:
    """The agents named in `text`, with commas between them, ready to play `game`.

    ValueError for a name not in `AGENTS`, or for what the agent itself refuses.
    """
    return [_agent(word.strip(), game) for word in text.split(",")]


def _agent(word: str, game: Game) -> Agent:
    name, colon, argument = word.partition(":")
    if name not in AGENTS:
        raise ValueError(f"unknown agent {name!r}; agents: {', '.join(AGENTS)}")
    module, made = AGENTS[name].split(":")
    maker = getattr(importlib.import_module(module), made)
    given = (game, argument) if colon else (game,)
    _check_given(name, maker, len(given))
    agent: Agent = maker(*given)
    return agent


def _check_given(name: str, maker: type, given: int) -> None:
    """ValueError if an agent lacks what belongs after its colon, or has no use for it."""
    wanted = list(inspect.signature(maker).parameters.values())
    needed = sum(parameter.default is parameter.empty for parameter in wanted)
    if given < needed:
        raise ValueError(f"agent {name!r} needs a {wanted[1].name}: {name}:{wanted[1].name.upper()}")
    if given > len(wanted):
        raise ValueError(f"agent {name!r} takes nothing after its name")
