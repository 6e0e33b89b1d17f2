"""search, over the scripted player or over a network: `search:base=learned`, `search:base=ppo:FILE,worlds=8`."""

from __future__ import annotations

from tantra_envs.core.game import Game
from tantra_envs.opponents.search import Search

from . import origin, playing_as

BASE = "base="


def search(game: Game, options: str = "") -> Search:
    """Search with these options; ValueError for those it refuses, or a base that cannot play on."""
    words = options.split(",")
    bases = [word.removeprefix(BASE) for word in words if word.startswith(BASE)]
    if not bases:
        return Search(game, options)
    base = f"learned:{game.id}" if bases[-1] == "learned" else bases[-1]
    played = playing_as(base, game)
    found = Search(played, ",".join(word for word in words if not word.startswith(BASE)))
    found.name = f"search:{options}"
    found.origin |= {"base": base, **origin(played.scripted)}
    return found
