"""Words in a drawing: made safe for XML, measured with a wide typeface, and shrunk or cut to fit."""

from __future__ import annotations

from functools import lru_cache
from html import escape as _escape

SMALLEST = 0.72  # of the size wished for, before words are cut
_NARROW, _WIDE = set(" iljI.,:;|!'()[]-"), set("mwMW%@")
_CONTROL = dict.fromkeys(range(32))
_KEPT = 4096  # words: those of a table come again in every drawing of it


@lru_cache(_KEPT)
def escape(words: str) -> str:
    """Words as XML text or attribute, without control characters."""
    return _escape(words.translate(_CONTROL))


def width(words: str, size: float) -> float:
    """The width that words need in the widest of the usual typefaces, bold."""
    return size * _letters(words)


def fit(words: str, size: float, room: float) -> tuple[str, float]:
    """The words and the size with which they fit: smaller at first, then cut."""
    wanted = width(words, size)
    if wanted <= room:
        return words, size
    least = size * SMALLEST
    while len(words) > 1 and width(words, least) > room:
        words = words[:-2].rstrip() + "…" if words.endswith("…") else words[:-1].rstrip() + "…"
        if len(words) <= 2:
            break
    return words, max(least, min(size, size * room / max(wanted, 1e-9)))


@lru_cache(_KEPT)
def _letters(words: str) -> float:
    """The width of words in sizes."""
    return sum(0.4 if c in _NARROW else 1.0 if c in _WIDE else 0.76 if c.isupper() else 0.69 for c in words)
