"""The games, one folder each. A new game adds one line here."""

from __future__ import annotations

import importlib
from typing import Any

from ..core.game import Game

GAMES = ("tantra", "kanastic", "tantrix", "karma", "tarot")


def game(name: str, **config: Any) -> Game:
    """One configuration of a game by name; ValueError for an unknown name, field or value."""
    if name not in GAMES:
        raise ValueError(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    build = importlib.import_module(f"{__name__}.{name}").build
    made: Game = build(**config)
    return made
