"""What a study must know about particular games: a module for each, found by the game's name."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from tantra_envs.core.game import Game


def game_module(package: str, game: Game) -> Any:
    """The module of `package` that is named after the game; ValueError if there is none."""
    name = f"{package}.{game.id}"
    if importlib.util.find_spec(name) is None:
        study, file = package.split(".")[1], name.replace(".", "/")
        raise ValueError(f"no {study} module for {game.id!r}: add {file}.py")
    return importlib.import_module(name)
