"""Compress the drawings of a whole game: shared symbols and parts are stored once, drawings as differences."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence

from .sheet import ROOT, Sheet, num
from .text import escape

PAGE = "te"  # id of the page, and prefix of its ids
Change = tuple[int, int, list[int]]  # equal parts at the start, equal parts at the end, parts between


class Reel:
    """Drawings for one page, as lists of parts from one pool."""

    def __init__(self) -> None:
        self._pool: dict[str, int] = {}
        self._symbols: dict[str, str] = {}
        self._views: list[list[Change]] = []
        self._lines: list[list[int]] = []
        self._before: list[int] = []

    def begin(self) -> None:
        """Begin the drawings for another reader."""
        self._views.append([])
        self._lines.append([])
        self._before = []

    def add(self, sheet: Sheet, line: str = "") -> None:
        """Add the next drawing for this reader, and the action before it as a line."""
        self._lines[-1].append(self._pool.setdefault(line, len(self._pool)))
        self._symbols.update(sheet.symbols)
        now = [self._pool.setdefault(part.replace(ROOT, PAGE), len(self._pool)) for part in _parts(sheet)]
        self._views[-1].append(_change(self._before, now))
        self._before = now

    def first(self) -> str:
        """Return the first drawing for the first reader."""
        parts = list(self._pool)
        return "".join(parts[part] for part in self._views[0][0][2])

    def defs(self) -> str:
        """Return the symbols of all drawings."""
        shapes = (f'<g id="{ROOT}-{name}">{shape}</g>' for name, shape in self._symbols.items())
        return "".join(shapes).replace(ROOT, PAGE)

    def packed(self) -> str:
        """Return all drawings as JSON, gzip and base64, about a tenth of their size because parts are similar."""
        content = json.dumps(
            {"pool": list(self._pool), "views": self._views, "lines": self._lines}, separators=(",", ":")
        )
        return b64encode(gzip.compress(content.encode(), mtime=0)).decode()


def _parts(sheet: Sheet) -> list[str]:
    """Return a drawing as parts that drawings can share."""
    size = f"{num(sheet.width)} {num(sheet.height)}"
    felt = f'<rect width="{num(sheet.width)}" height="{num(sheet.height)}" rx="8" fill="var(--felt)"/>'
    opening = f'<svg viewBox="0 0 {size}" role="{sheet.role}" aria-label="'
    return [opening, escape(sheet.caption), f'">{felt}', *sheet.parts, '<g class="above">', *sheet.above, "</g></svg>"]


def _change(before: Sequence[int], now: Sequence[int]) -> Change:
    most = min(len(before), len(now))
    head = next((i for i in range(most) if before[i] != now[i]), most)
    tail = next((i for i in range(most - head) if before[-1 - i] != now[-1 - i]), most - head)
    return head, tail, list(now[head : len(now) - tail])
