"""The games and configurations that the checks for all games run on.

A game brings `tests/games/<id>/contract.py` with `BASE`, a configuration that reaches every phase; `TABLES`,
one for each number of seats worth playing; `invariants(game, state)`; and `zero_sum(game)`. It may bring
`hides(game)` and `goes_on(game, ended)`, see `check_game`. A game of the project has `PLAYED` and `SET_UP` too,
configurations with a seed and with a position: the good positions in which the tests of wrong ones change every field.
"""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import tantra_envs
from tantra_envs.core.game import Game

FOLDER = Path(__file__).resolve().parents[1] / "games"
GAMES = [name for name in tantra_envs.GAMES if (FOLDER / name / "contract.py").exists()]


def contract(name: str) -> ModuleType:
    """What the tests know about a game."""
    return importlib.import_module(f"tests.games.{name}.contract")


def hides(known: ModuleType, game: Game) -> bool | None:
    """Is anything hidden from anybody? None: the table of fields says it."""
    return bool(known.hides(game)) if hasattr(known, "hides") else None


def configurations() -> list[tuple[str, dict[str, Any]]]:
    """(game, configuration): all tables and named variants, and every value of a field that none of those has."""
    return [(name, config) for name in GAMES for config in _worth_playing(name)]


def _worth_playing(name: str) -> list[dict[str, Any]]:
    known, fields = contract(name), tantra_envs.game(name).options.fields.values()
    named = [*known.TABLES, *({**known.BASE, **rules} for rules in tantra_envs.variants(name).values())]
    whole = [dict(tantra_envs.game(name, **config).config) for config in named]
    different = [config for i, config in enumerate(named) if whole[i] not in whole[:i]]
    choices = [(field.name, value) for field in fields if isinstance(field.allowed, tuple) for value in field.allowed]
    missing = [(field, value) for field, value in choices if all(config[field] != value for config in whole)]
    return different + [{**known.BASE, field: value} for field, value in missing]


def words(value: Any) -> str:
    """A configuration as the name of a test."""
    return value if isinstance(value, str) else json.dumps(value).replace('"', "")
