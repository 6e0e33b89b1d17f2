"""search, over the scripted agent or over a network: `search:base=learned`, `search:base=ppo:FILE,worlds=8`."""

from __future__ import annotations

from tantra_envs.core.game import Game
from tantra_envs.opponents.search import Search
from tantra_envs.opponents.specs import AgentSpec

from . import origin, playing_as

BASE = "base"


def search(game: Game, spec: AgentSpec) -> Search:
    """Make a search; ValueError for options it refuses, or a base that cannot play on in playouts."""
    if BASE not in spec.options:
        return Search(game, spec.words)
    base = spec.options[BASE]
    base = f"learned:{game.id}" if base == "learned" else base
    played = playing_as(base, game)
    agent = Search(played, spec.lacking(BASE).words)
    agent.name = spec.text
    agent.origin |= {"base": base, **origin(played.scripted)}
    return agent
