"""Tables in Markdown, and the marked parts of a page."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping


def table(head: Iterable[str], rows: Iterable[Iterable[object]], right: Container[int] = ()) -> str:
    """Return a table; the columns whose numbers are in `right` are aligned to the right."""
    head = list(head)
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    lines = (f"| {' | '.join(map(str, cells))} |\n" for cells in (head, rule, *rows))
    return "".join(lines).replace("|  |", "| |")


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
