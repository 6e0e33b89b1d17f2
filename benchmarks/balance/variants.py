"""`copies=2,3 karma_sets=true,false`: the variants that words name, every combination of their values."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Sequence
from typing import Any

import tantra_envs
from tantra_envs.core.game import Game

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VARIANT = "variant"  # not a field: the named variants of configs/games
BASE = "as given"  # the name of the only variant where nothing is varied


def variants(game: str, vary: Sequence[str]) -> dict[str, Game]:
    """A `Game` for every combination, by its name ("copies=2, karma_sets=true").

    ValueError for words that are no `field=value,value`, for fields given twice, and for what the game refuses.
    """
    fields = dict(_field(word) for word in vary)
    if len(fields) < len(vary):
        raise ValueError(f"vary={' '.join(vary)!r} is not allowed; allowed: every field once")
    made = {}
    for values in itertools.product(*fields.values()):
        config = dict(zip(fields, values, strict=True))
        name = ", ".join(f"{field}={word}" for field, word in config.items()) or BASE
        made[name] = _build(game, {field: _value(field, word) for field, word in config.items()})
    return made


def _field(word: str) -> tuple[str, list[str]]:
    field, equals, values = word.partition("=")
    found = [value.strip() for value in re.split(r",(?![^\[]*\])", values)]  # but no comma inside a list
    if not (field and equals and all(found)) or len(set(found)) < len(found):
        raise ValueError(f"vary={word!r} is not allowed; allowed: FIELD=VALUE,VALUE with values that differ")
    return field.strip(), found


def _value(field: str, word: str) -> Any:
    """A word as TOML would read it; what is no TOML value is a string."""
    if field == VARIANT:
        return word
    try:
        return tomllib.loads(f"value = {word}")["value"]
    except tomllib.TOMLDecodeError:
        return word


def _build(game: str, config: dict[str, Any]) -> Game:
    made = tantra_envs.game(game, **config)
    if len(made.teams) < 2:
        raise ValueError(f"{made.name}: players={made.players} has nobody to play against; allowed: 2 or more")
    return made
