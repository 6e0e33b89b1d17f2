"""The marked parts of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping


def with_marked(text: str, parts: Mapping[str, str], where: str) -> str:
    """Return `text` with each part between its marks, `<!-- NAME -->` and `<!-- /NAME -->`.

    Raises:
        ValueError: A mark is missing or there twice.
    """
    for name, part in parts.items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        pieces = re.split(f"{re.escape(first)}.*?{re.escape(last)}", text, flags=re.DOTALL)
        if len(pieces) != 2:
            raise ValueError(f"{where} has {len(pieces) - 1} parts marked {first} .. {last}; wanted: 1")
        text = f"{first}\n{part}{last}".join(pieces)
    return text
