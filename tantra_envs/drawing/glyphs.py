"""The letters on cards as strokes, so that cards look the same with any installed typefaces."""

from __future__ import annotations

from functools import lru_cache

from .shapes import at

HEIGHT = 20.0  # height of a capital
APART = 4.2
BOLD = 3.6
# Width and path of each letter, from (0, 0) at the upper left.
GLYPHS = {
    "0": (10, "M5 0C9 0 10 5 10 10S9 20 5 20 0 15 0 10 1 0 5 0Z"),
    "1": (6, "M0 4.6 5 0V20"),
    "2": (10, "M.4 5.4C.4 2 2.4 0 5.1 0S10 2 10 5.2C10 8 8.2 10 5.6 12.8L.2 20H10"),
    "3": (10, "M.4 3.8C1.2 1.2 2.8 0 5 0 8 0 9.6 2 9.6 4.8S7.6 9.4 4.4 9.4C8 9.4 10 11.6 10 14.6S8 20 5 20"
    "C2.4 20 .7 18.8 0 16.2"),
    "4": (11, "M8 20V0L0 14.2H11"),
    "5": (10, "M9.2 0H1.8L1 9C2 7.8 3.4 7.2 5 7.2 8 7.2 10 9.8 10 13.4S8 20 4.8 20C2.4 20 .8 18.8 0 16.8"),
    "6": (10, "M9 2C8 .5 6.8 0 5.5 0 2 0 0 4.5 0 12.5 0 17.5 2 20 5 20S10 17.5 10 13.8 8 7.8 5.2 7.8.2 10 .2 13"),
    "7": (10, "M0 0H10L3.8 20"),
    "8": (10, "M5 9.2C2 9.2.6 7 .6 4.6S2 0 5 0 9.4 2 9.4 4.6 8 9.2 5 9.2ZM5 9.2C1.8 9.2 0 11.6 0 14.6"
    "S1.8 20 5 20 10 17.6 10 14.6 8.2 9.2 5 9.2Z"),
    "9": (10, "M1 18C2 19.5 3.2 20 4.5 20 8 20 10 15.5 10 7.5 10 2.5 8 0 5 0S0 2.5 0 6.2 2 12.2 4.8 12.2 9.8 10 9.8 7"),
    "A": (12.4, "M0 20 6.2 0 12.4 20M2.4 13H10"),
    "B": (10.5, "M0 0V20H5C8.5 20 10.5 17.8 10.5 14.6S8.5 9.4 5 9.4H0M0 0H4.6C7.8 0 9.4 2 9.4 4.8S7.8 9.4 4.6 "
    "9.4M0 0V9"),
    "G": (11.4, "M11 4C9.8 1.2 8.2 0 6.2 0 2 0 0 4.5 0 10S2 20 6.2 20C9.4 20 11.4 17.6 11.4 11.4H6.8"),
    "I": (5, "M2.5 0V20M0 0H5M0 20H5"),
    "J": (7.4, "M7.4 0V14.5C7.4 18 5.8 20 3.6 20S0 18.6 0 15.6"),
    "K": (11, "M0 0V20M10.4 0 .4 11.4M4 8 11 20"),
    "Q": (12.4, "M6.2 0C10.2 0 12.4 4.5 12.4 10S10.2 20 6.2 20 0 15.5 0 10 2.2 0 6.2 0ZM7.4 14 12.6 20.6"),
    "T": (11, "M0 0H11M5.5 0V20"),
    "V": (12, "M0 0 6 20 12 0"),
    "X": (11, "M0 0 11 20M11 0 0 20"),
    "n": (8.4, "M0 7.4V20M0 12C0 9 2 7.4 4.3 7.4S8.4 9 8.4 12V20"),
    "v": (9.4, "M0 7.4 4.7 20 9.4 7.4"),
    "≤": (10, "M10 2 0 8.4 10 14.8M0 20H10"),
}  # fmt: skip


@lru_cache(1024)
def glyphs(words: str, x: float, y: float, height: float, colour: str, room: float = 1e9) -> str:
    """Return words centred on x, with their top at y, as high as `height` or as their room allows."""
    wide = sum(GLYPHS[letter][0] for letter in words) + APART * (len(words) - 1)
    scale = min(height / HEIGHT, room / (wide + BOLD))
    left, top = x - wide * scale / 2, y + (height - HEIGHT * scale) / 2
    paths, along = "", 0.0
    for letter in words:
        w, path = GLYPHS[letter]
        paths += f'<path d="{path}"' + (f' transform="translate({along:.3g})"' if along else "") + "/>"
        along += w + APART
    return f'<g class="ink" stroke="var(--{colour})" transform="{at(left, top, scale)}">{paths}</g>'
