"""Check files of results field by field. An error names the field, its value, and the allowed values.

A schema is a dictionary of `Values` by the names of fields.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

MOST = 10**12  # decisions, minutes and milliseconds


class Values(NamedTuple):
    """The allowed values of a field, in words and as a test of a value that may have any type."""

    words: str
    allows: Callable[[Any], bool]


def text(pattern: str, words: str) -> Values:
    """Return the texts that match a pattern as a whole."""
    return Values(words, lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None)


def between(least: float, most: float, *types: type) -> Values:
    """Return the numbers of these types from `least` to `most`."""
    words = f"{least:g}..{most:g}" + (", whole" if types == (int,) else "")
    return Values(words, lambda value: type(value) in types and least <= value <= most)


def one_of(*texts: str) -> Values:
    """Return some texts."""
    return Values(", ".join(texts), lambda value: isinstance(value, str) and value in texts)


def lists(values: Values, words: str, length: int | None = None) -> Values:
    """Return lists of these values, of any length or of one."""

    def allows(value: Any) -> bool:
        fits = isinstance(value, list) and length in (None, len(value))
        return fits and all(map(values.allows, value))

    return Values(words, allows)


LINE = text(r"[^|\r\n]+", "a text without line breaks and |")
TEXT = Values("a text", lambda value: isinstance(value, str))
DATE = text(r"\d{4}-\d\d-\d\d", "a date, as 2025-01-31")
RELEASE = text(r"\d+\.\d+\.\d+", "three numbers, as 0.2.0")
SHARE, WHOLE, AMOUNT = between(0, 1, int, float), between(0, MOST, int), between(0, MOST, int, float)
NUMBER = between(-MOST, MOST, int, float)
OBJECT = Values("an object", lambda value: isinstance(value, dict))


def read(file: Path) -> Any:
    """Return the content of a JSON file; raise ValueError if it cannot be read."""
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{file} cannot be read: {error}") from None


def check_fields(where: str, content: Any, fields: Mapping[str, Values], source: str) -> None:
    """Raise ValueError unless `content` is an object with these fields and allowed values.

    Args:
        where: The file and the place in it, for the error.
        content: The object.
        fields: The allowed values of each field. Other fields are not checked.
        source: The command that writes such files.
    """
    if not isinstance(content, dict) or (absent := [name for name in fields if name not in content]):
        lacks = ", ".join(absent) if isinstance(content, dict) else f"{', '.join(fields)}, it is no object"
        raise ValueError(f"{where} lacks {lacks}; write it with {source}")
    for name, values in fields.items():
        if not values.allows(content[name]):
            raise ValueError(f"{where}: {name}={content[name]!r:.200} is not allowed; allowed: {values.words}")
