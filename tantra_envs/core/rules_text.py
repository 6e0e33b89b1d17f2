"""The rules of a game in plain text for newcomers: `words/rules.txt` in the game's folder.

Some parts of a text concern some configurations only. A line `[option=value, value]` alone begins such a part. The part
ends at the next line in brackets. `[option=value; other=value]` requires both, and `[always]` begins a part for all
configurations. Lines in brackets are not shown. `{option}` stands for the value of an option.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_BRACKETS = re.compile(r"^\[(always|\w+=[^\]]+)\]\n", re.MULTILINE)
_VALUE = re.compile(r"\{([a-z]\w*)\}")


def read_rules(file: Path, config: Mapping[str, Any]) -> str:
    """Return the parts of a rules text that concern a configuration; "" if the game has no such file."""
    first, *rest = _BRACKETS.split(_content(file))
    parts = zip(rest[::2], rest[1::2], strict=True)
    text = first + "".join(part for condition, part in parts if _holds(condition, config))
    text = _VALUE.sub(lambda option: str(config[option[1]]), text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _holds(condition: str, config: Mapping[str, Any]) -> bool:
    """Return whether a configuration has, for each option in a bracket line, one of the values named there."""
    wanted = () if condition == "always" else (part.split("=") for part in condition.split("; "))
    return all(str(config[option]) in values.split(", ") for option, values in wanted)


@functools.cache
def _content(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""
