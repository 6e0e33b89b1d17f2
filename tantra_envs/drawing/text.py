"""Words in a drawing: escape them for XML, measure them in a wide typeface, and shrink or cut them to fit."""

from __future__ import annotations

from functools import lru_cache
from html import escape as _escape

SMALLEST = 0.72  # share of the full size; longer words are cut
_NARROW, _WIDE = set(" iljI.,:;|!'()[]-"), set("mwMW%@")
_CONTROL = dict.fromkeys(range(32))
_KEPT = 4096  # words in the cache: drawings of a table repeat most of their words


@lru_cache(_KEPT)
def escape(words: str) -> str:
    """Return words as XML text or attribute, without control characters."""
    return _escape(words.translate(_CONTROL))


@lru_cache(_KEPT)
def width(words: str, size: float) -> float:
    """Return the width of words in bold letters of the widest common typeface."""
    return size * sum(0.4 if c in _NARROW else 1.0 if c in _WIDE else 0.76 if c.isupper() else 0.69 for c in words)


def fit(words: str, size: float, room: float) -> tuple[str, float]:
    """Return the words and the size that fit into `room`: smaller letters first, then fewer."""
    full = width(words, size)
    if full <= room:
        return words, size
    least = size * SMALLEST
    while len(words) > 1 and width(words, least) > room:
        words = words[:-2].rstrip() + "…" if words.endswith("…") else words[:-1].rstrip() + "…"
        if len(words) <= 2:
            break
    return words, max(least, min(size, size * room / max(full, 1e-9)))


def wrap(words: str, size: float, room: float, most: int) -> list[str]:
    """Return words as at most `most` lines of this room; the last line may be longer."""
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and len(lines) < most and width(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
