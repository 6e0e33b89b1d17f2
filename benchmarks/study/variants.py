"""`copies=2,3 karma_sets=true,false`: the variants that words name, every combination of their values."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from ..harness.shards import Options

VARIANT = "variant"  # not an option: the named variants of configs/games
BASE = "as given"  # the name of the only variant where nothing is varied, and of the base where one option at a time is


def variants(vary: Sequence[str], one_at_a_time: bool = False) -> dict[str, Options]:
    """What a game is built with for every combination, by its name ("copies=2, karma_sets=true").

    With `one_at_a_time` the first values of all options, and each other value in place of the first one. ValueError for
    words that are no `option=value,value`, and for options given twice.
    """
    fields = choices(vary)
    if one_at_a_time:
        return _single_changes(fields)
    combinations = (dict(zip(fields, values, strict=True)) for values in itertools.product(*fields.values()))
    return {name_of(combination): _options(combination) for combination in combinations}


def choices(vary: Sequence[str]) -> dict[str, list[str]]:
    """The words for the values that each option may take; ValueError as for `variants`."""
    fields = dict(_field(word) for word in vary)
    if len(fields) < len(vary):
        raise ValueError(f"vary={' '.join(vary)!r} is not allowed; allowed: every option once")
    return fields


def name_of(chosen: Mapping[str, str]) -> str:
    """What a combination is called: "copies=2, karma_sets=true"."""
    return ", ".join(f"{field}={word}" for field, word in chosen.items()) or BASE


def _single_changes(fields: Mapping[str, Sequence[str]]) -> dict[str, Options]:
    base = {field: words[0] for field, words in fields.items()}
    changes = ({field: word} for field, words in fields.items() for word in words[1:])
    return {BASE: _options(base), **{name_of(change): _options(base | change) for change in changes}}


def _options(chosen: Mapping[str, str]) -> Options:
    return tuple((field, _value(field, word)) for field, word in chosen.items())


def _field(word: str) -> tuple[str, list[str]]:
    field, equals, values = word.partition("=")
    words = [value.strip() for value in re.split(r",(?![^\[]*\])", values)]  # but no comma inside a list
    if not (field and equals and all(words)) or len(set(words)) < len(words):
        raise ValueError(f"vary={word!r} is not allowed; allowed: OPTION=VALUE,VALUE with values that differ")
    return field.strip(), words


def _value(field: str, word: str) -> Any:
    """A word as TOML would read it; what is no TOML value is a string."""
    if field == VARIANT:
        return word
    try:
        value = tomllib.loads(f"value = {word}")["value"]
    except tomllib.TOMLDecodeError:
        return word
    return tuple(value) if isinstance(value, list) else value
