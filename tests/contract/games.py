"""The games and configurations that the checks for all games run on.

A game brings `tests/games/<id>/contract.py` with `BASE`, a configuration that reaches every phase; `TABLES`,
one for each number of seats worth playing; `invariants(game, state)`; and `zero_sum(game)`.
"""

from __future__ import annotations

import importlib
import json
from types import ModuleType
from typing import Any

import tantra_envs


def contract(name: str) -> ModuleType:
    """What the tests know about a game."""
    return importlib.import_module(f"tests.games.{name}.contract")


def configurations() -> list[tuple[str, dict[str, Any]]]:
    """(game, configuration): all named variants, all tables, every value of every field that has a list of them."""
    listed: list[tuple[str, dict[str, Any]]] = []
    for name in tantra_envs.GAMES:
        known = contract(name)
        fields = tantra_envs.game(name).fields.fields.values()
        choices = [field for field in fields if isinstance(field.allowed, tuple)]
        values = [{field.name: value} for field in choices for value in field.allowed if value != field.default]
        changed = [{**known.BASE, **change} for change in (*tantra_envs.variants(name).values(), *values)]
        for config in (*known.TABLES, *changed):
            if (name, config) not in listed:
                listed.append((name, config))
    return listed


def words(value: Any) -> str:
    """A configuration as the name of a test."""
    return value if isinstance(value, str) else json.dumps(value).replace('"', "")
