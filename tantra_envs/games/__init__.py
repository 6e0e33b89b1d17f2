"""The list of games and their versions. `docs/add-a-game.md` adds one."""

from __future__ import annotations

import importlib
from typing import Any

from ..core.game import Game

# Versions are raised when play, encodings or defaults change.
GAMES = {"tantra": "v0", "kanastic": "v0", "tantrix": "v0", "karma": "v0", "tarot": "v0"}
# The variant and the number of seats that benchmarks use, for each game of the project.
BENCHMARKS = {
    "karma": ("karma", 2),
    "tarot": ("tarot:hand", 2),
    "kanastic": ("kanastic:round", 4),
    "tantra": ("tantra", 4),
    "tantrix": ("tantrix", 2),
}
SHIPPED = tuple(name for name in GAMES if name in BENCHMARKS)  # without games that you have added for yourself


def game(name: str, **config: Any) -> Game:
    """Return one configuration of a game by name; raise ValueError for an unknown name, option or value."""
    if not isinstance(name, str) or name not in GAMES:
        raise ValueError(f"unknown game {name!r}; games: {', '.join(GAMES)}")
    build = importlib.import_module(f"{__name__}.{name}").build
    made: Game = build(**config)
    return made
