"""Games by name, and their variants: the tables of `configs/games/<game>.toml`."""

from __future__ import annotations

import copy
import functools
import re
from pathlib import Path
from typing import Any

from .core.game import Game
from .core.options import require
from .games import game as _build
from .programs.files import read_toml

_PACKAGE = Path(__file__).resolve().parent
_FOLDERS = (_PACKAGE / "configs/games", _PACKAGE.parent / "configs/games")  # in the wheel, in the checkout

_DESCRIBED = re.compile(r"((?:^#.*\n)+)\[(\w+)\]", re.MULTILINE)


def game(name: str, /, variant: str | None = None, **config: Any) -> Game:
    """Return a configuration of a game: `game("karma", players=3)`, `game("karma", "sixty")` or `game("karma:sixty")`.

    `config` overrides the options of the variant.

    Raises:
        ValueError: The game, the variant, an option or its value is not allowed.
    """
    name, _, named = name.partition(":") if isinstance(name, str) else (name, "", "")
    if variant is not None and not isinstance(variant, str):
        raise ValueError(f"{name}: variant={variant!r} is not allowed; allowed: {', '.join(variants(name)) or 'None'}")
    if variant and named and variant != named:
        raise ValueError(f"two variants of {name} are named: {named!r} and {variant!r}")
    variant = variant or named
    if variant and variant not in variants(name):
        raise ValueError(f"{name}: unknown variant {variant!r}; variants: {', '.join(variants(name))}")
    try:
        return _build(name, **{**(variants(name)[variant] if variant else {}), **config})
    except ValueError as error:
        raise ValueError(f"{error}{_variants_with_seats(name, config)}") from None


def _variants_with_seats(name: str, config: dict[str, Any]) -> str:
    """Return the variants that allow a refused number of players, as the end of the error; else an empty string."""
    others = {option: value for option, value in config.items() if option != "players"}
    if others == config or not is_allowed(name, others):
        return ""
    fitting = [f"{name}:{variant}" for variant, rules in variants(name).items() if is_allowed(name, rules | config)]
    return f"; variants that allow it: {', '.join(fitting)}" if fitting else ""


def is_allowed(name: str, config: dict[str, Any]) -> bool:
    """Return whether a game has these options."""
    try:
        _build(name, **config)
    except ValueError:
        return False
    return True


def variants(name: str) -> dict[str, dict[str, Any]]:
    """Return the options of a game's variants by name; raise ValueError if the game refuses an option of its file."""
    return copy.deepcopy(_variants(name))


@functools.cache
def _variants(name: str) -> dict[str, dict[str, Any]]:
    options = _build(name).options
    file = _file(name)
    if file is None:
        return {}
    try:
        tables = read_toml(file)
        for variant, table in tables.items():
            require(variant, table, isinstance(table, dict), "a table of options")
            options.resolve(table)
    except ValueError as error:  # not TOML, not a table, or refused by the game
        raise ValueError(f"{file}: {str(error).removeprefix(f'{file}: ')}") from None
    return tables


@functools.cache
def variant_texts(name: str) -> dict[str, str]:
    """Return the description of each variant of a game: the comment above its table in the file."""
    file = _file(name)
    parts = [] if file is None else _DESCRIBED.findall(file.read_text(encoding="utf-8"))
    return {variant: " ".join(line.removeprefix("#").strip() for line in text.splitlines()) for text, variant in parts}


def _file(name: str) -> Path | None:
    return next((folder / f"{name}.toml" for folder in _FOLDERS if (folder / f"{name}.toml").is_file()), None)
