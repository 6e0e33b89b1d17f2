"""Build variants from texts such as `copies=2,3 karma_sets=true,false`: every combination of the values."""

from __future__ import annotations

import itertools
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from ..harness.shards import OptionValues

VARIANT = "variant"  # name for the variants of configs/games, which is not an option
BASE = "as given"  # name of the base without --vary, and with --one-at-a-time


def variants(vary: Sequence[str], one_at_a_time: bool = False) -> dict[str, OptionValues]:
    """Return the options of every combination by its name ("copies=2, karma_sets=true").

    With `one_at_a_time`, return the combination of all first values, and each other value in place of its first one.

    Raises:
        ValueError: A text is not `option=value,value`, or an option is given twice.
    """
    fields = choices(vary)
    if one_at_a_time:
        return _single_changes(fields)
    combinations = (dict(zip(fields, values, strict=True)) for values in itertools.product(*fields.values()))
    return {name_of(combination): _options(combination) for combination in combinations}


def choices(vary: Sequence[str]) -> dict[str, list[str]]:
    """Return the values that each option may take, as text; raise ValueError as `variants` does."""
    fields = dict(_field(word) for word in vary)
    if len(fields) < len(vary):
        raise ValueError(f"vary={' '.join(vary)!r} is not allowed; allowed: every option once")
    return fields


def name_of(chosen: Mapping[str, str]) -> str:
    """Return the name of a combination: "copies=2, karma_sets=true"."""
    return ", ".join(f"{field}={word}" for field, word in chosen.items()) or BASE


def _single_changes(fields: Mapping[str, Sequence[str]]) -> dict[str, OptionValues]:
    base = {field: words[0] for field, words in fields.items()}
    changes = ({field: word} for field, words in fields.items() for word in words[1:])
    return {BASE: _options(base), **{name_of(change): _options(base | change) for change in changes}}


def _options(chosen: Mapping[str, str]) -> OptionValues:
    return tuple((field, _value(field, word)) for field, word in chosen.items())


def _field(word: str) -> tuple[str, list[str]]:
    field, equals, values = word.partition("=")
    words = [value.strip() for value in re.split(r",(?![^\[]*\])", values)]  # a comma inside a list does not separate
    if not (field and equals and all(words)) or len(set(words)) < len(words):
        raise ValueError(f"vary={word!r} is not allowed; allowed: OPTION=VALUE,VALUE with values that differ")
    return field.strip(), words


def _value(field: str, word: str) -> Any:
    """Return a text as a TOML value, or unchanged if it is not one."""
    if field == VARIANT:
        return word
    try:
        value = tomllib.loads(f"value = {word}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return word
    return tuple(value) if isinstance(value, list) else value
