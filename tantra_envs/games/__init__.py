"""The games, one folder each, and their versions. A new game adds one line here."""

from __future__ import annotations

import importlib
from typing import Any

from ..core.game import Game

# A version is raised when play, encodings or defaults change.
GAMES = {"tantra": "v0", "kanastic": "v0", "tantrix": "v0", "karma": "v0", "tarot": "v0"}


def game(name: str, **config: Any) -> Game:
    """One configuration of a game by name; ValueError for an unknown name, field or value."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    build = importlib.import_module(f"{__name__}.{name}").build
    made: Game = build(**config)
    return made
