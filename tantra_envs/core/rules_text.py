"""The rules of a game in plain text, for whoever has never played it: `rules.txt` in the game's folder.

Some parts of a text concern some configurations only. A line `[option=value, value]` alone begins such a part, which
ends at the next line in brackets; `[always]` begins one for all configurations. The lines in brackets are not shown.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_BRACKETS = re.compile(r"^\[(?:always|(\w+)=([^\]]+))\]\n", re.MULTILINE)


def read_rules(file: Path, config: Mapping[str, Any]) -> str:
    """Return the parts of a rules text that concern a configuration; "" if there is no such file."""
    first, *rest = _BRACKETS.split(_content(file))
    parts = zip(rest[::3], rest[1::3], rest[2::3], strict=True)
    shown = [part for option, values, part in parts if option is None or str(config[option]) in values.split(", ")]
    return "\n\n".join(part.strip() for part in (first, *shown) if part.strip())


@functools.cache
def _content(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.is_file() else ""
