"""`copies=2,3 karma_sets=true,false`: the variants that words name, every combination of their values."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Sequence
from typing import Any

from ..harness.shards import Options

VARIANT = "variant"  # not an option: the named variants of configs/games
BASE = "as given"  # the name of the only variant where nothing is varied


def variants(vary: Sequence[str]) -> dict[str, Options]:
    """What a game is built with for every combination, by its name ("copies=2, karma_sets=true").

    ValueError for words that are no `option=value,value`, and for options given twice.
    """
    fields = dict(_field(word) for word in vary)
    if len(fields) < len(vary):
        raise ValueError(f"vary={' '.join(vary)!r} is not allowed; allowed: every option once")
    made = {}
    for values in itertools.product(*fields.values()):
        name = ", ".join(f"{field}={word}" for field, word in zip(fields, values, strict=True)) or BASE
        made[name] = tuple((field, _value(field, word)) for field, word in zip(fields, values, strict=True))
    return made


def _field(word: str) -> tuple[str, list[str]]:
    field, equals, values = word.partition("=")
    found = [value.strip() for value in re.split(r",(?![^\[]*\])", values)]  # but no comma inside a list
    if not (field and equals and all(found)) or len(set(found)) < len(found):
        raise ValueError(f"vary={word!r} is not allowed; allowed: OPTION=VALUE,VALUE with values that differ")
    return field.strip(), found


def _value(field: str, word: str) -> Any:
    """A word as TOML would read it; what is no TOML value is a string."""
    if field == VARIANT:
        return word
    try:
        value = tomllib.loads(f"value = {word}")["value"]
    except tomllib.TOMLDecodeError:
        return word
    return tuple(value) if isinstance(value, list) else value
