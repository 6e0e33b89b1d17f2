"""The games and configurations that the checks for all games run on.

A game brings `tests/games/<id>/contract.py` with `BASE`, a configuration that reaches every phase; `TABLES`,
one for each number of seats worth playing; `invariants(game, state)`; and `zero_sum(game)`. It may bring
`winners(game, state)`, the seats that win a finished game by the rules, `hides(game)` and `goes_on(game, ended)`,
see `check_game`, and `LONGER`, the options that variants use to make games longer and that `BASE` keeps short. A game
of the project has `PLAYED` and `SET_UP` too, configurations with a seed and with a position: the good positions in
which the tests of wrong ones change every field. It may have `RARE_FACTS`: fields of `EVENT` that hardly ever change
in random games.
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
    """(game, configuration): all tables and named variants, and some with each value of a field that those lack."""
    return [(name, config) for name in GAMES for config in _worth_playing(name)]


def variants() -> list[tuple[str, str | None]]:
    """(game, variant): all named variants; None for a game without any."""
    return [(name, variant) for name in tantra_envs.GAMES for variant in tantra_envs.variants(name) or [None]]


def kinds_of_tables() -> list[tuple[str, str | None]]:
    """(game, variant): the first variant of each number of seats and mode, the only options that environments read."""
    kinds = {}
    for name, variant in variants():
        game = tantra_envs.game(name, variant)
        kinds.setdefault((name, game.players, game.config.get("mode")), (name, variant))
    return list(kinds.values())


def _worth_playing(name: str) -> list[dict[str, Any]]:
    known, fields = contract(name), tantra_envs.game(name).options.fields.values()
    longer = getattr(known, "LONGER", ())
    variants = [
        {field: value for field, value in rules.items() if field not in longer}
        for rules in tantra_envs.variants(name).values()
    ]
    named = [*known.TABLES, *({**known.BASE, **rules} for rules in variants)]
    whole = [dict(tantra_envs.game(name, **config).config) for config in named]
    different = [config for i, config in enumerate(named) if whole[i] not in whole[:i]]
    choices = [(field.name, value) for field in fields if isinstance(field.allowed, tuple) for value in field.allowed]
    missing = [(field, value) for field, value in choices if all(config[field] != value for config in whole)]
    return different + [{**known.BASE, **values} for values in _together(missing)]


def _together(missing: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    """Few choices of values with every one of these: the first of each field, the second of each, and so on."""
    chosen: list[dict[str, Any]] = []
    for field, value in missing:
        number = sum(field in values for values in chosen)
        chosen += [{}] if number == len(chosen) else []
        chosen[number][field] = value
    return chosen


def words(value: Any) -> str:
    """A configuration as the name of a test."""
    return value if isinstance(value, str) else json.dumps(value).replace('"', "")
