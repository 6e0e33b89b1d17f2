"""Drawings as pixels, with the extra `render`: resvg paints the shapes, Pillow writes the words.

resvg knows neither CSS variables nor media queries, so the colours of one theme are written out first. Pillow brings
a typeface of its own: pictures are alike on every machine, also on one without any.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Sequence
from html import unescape
from math import ceil, floor
from typing import Any

import numpy as np
import numpy.typing as npt

from .colours import THEMES

WIDEST = 8192  # pixels
REACH = 75  # units from the origin of a card or tile to its farthest mark
PARTS = 4  # of a pixel, to which cards are placed
KEPT = 1024  # cards in memory, some 10 kB each
_LOOK = re.compile(r"<style>#[\w-]+\{(.*?)\}@media.*?\.dark\{(.*?)\}(.*?)</style>")
_VARIABLE = re.compile(r"var\(--(\w+)\)")
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_USE = re.compile(
    r'<use href="#\w+-(\w+)" transform="translate\(([-\d.]+) ([-\d.]+)\)(?:rotate\(([-\d.]+)\))?'
    r'(?:scale\(([\d.]+)\))?"(?: class="([\w ]*)")?[^>]*>(?:</use>)?'
)
_SYMBOL = re.compile(r'<g id="\w+-')
_GHOST = re.compile(r'<use class="for"[^>]*/>')
_CORNERS = ' rx="8"'  # of the felt: pixels have nothing to show behind them
_TITLE = re.compile(r"<title>.*?</title>")
_TEXT = re.compile(r'<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"(?: class="([\w ]*)")?>(.*?)</text>')
_INKS = {"soft": "soft", "p": "print", "paper": "panel"}  # classes of words -> their colour
_BOLD = 0.022  # stroke round bold letters, in sizes


def png(svg: str, width: int = 600, theme: str = "auto") -> bytes:
    """A drawing as PNG of that width in pixels; `theme` auto keeps that of the drawing, which is light or dark."""
    out = io.BytesIO()
    _image(svg, width, theme).save(out, "PNG")
    return out.getvalue()


def rgb_array(svg: str, width: int = 600, theme: str = "auto") -> npt.NDArray[np.uint8]:
    """A drawing as pixels, shape (height, width, 3)."""
    return np.array(_image(svg, width, theme))


def gif(drawings: Sequence[str], width: int = 600, theme: str = "auto", seconds: float = 0.8) -> bytes:
    """Drawings one after another as an animated GIF; lower ones are filled up with their felt."""
    if not drawings:
        raise ValueError("drawings=[] is not allowed; allowed: one at least")
    from PIL import Image

    frames = [_image(svg, width, theme) for svg in drawings]
    height = max(frame.height for frame in frames)
    pages = [Image.new("RGB", (width, height), frame.getpixel((0, 0))) for frame in frames]
    for page, frame in zip(pages, frames, strict=True):
        page.paste(frame)
    first, *more = (page.quantize(128, dither=Image.Dither.NONE) for page in pages)
    times = [round(1000 * seconds)] * len(more) + [round(3000 * seconds)]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=more, duration=times, loop=0)
    return out.getvalue()


def _image(svg: str, width: int, theme: str) -> Any:
    """The ground, then the cards, then what lies above them, then the words."""
    if isinstance(width, bool) or not isinstance(width, (int, np.integer)) or not 1 <= width <= WIDEST:
        raise ValueError(f"width={width!r} is not allowed; allowed: 1..{WIDEST} pixels")
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is not allowed; allowed: {', '.join(THEMES)}")
    from PIL import ImageDraw

    colours, rules, flat = _flat(svg, theme)
    scale = int(width) / _width(svg)
    texts, flat = _TEXT.findall(flat), _TITLE.sub("", _TEXT.sub("", flat))
    opening, symbols, ground, above = _split(flat)
    page = _paint(f"{opening}{_USE.sub('', ground)}</svg>", int(width)).convert("RGB")
    for name, x, y, turn, size, kind in _USE.findall(ground):
        left, top = float(x) * scale, float(y) * scale
        at = floor(left), floor(top)
        parts = round(PARTS * (left - at[0])) / PARTS, round(PARTS * (top - at[1])) / PARTS
        card = _card(symbols[name], rules, round(float(size or 1) * scale, 4), float(turn or 0), kind, parts)
        page.paste(card, (at[0] - card.width // 2, at[1] - card.height // 2), card)
    if above.strip():
        layer = _paint(f"{opening}{above}</svg>", int(width))
        page.paste(layer, (0, 0), layer)
    _write(ImageDraw.Draw(page), texts, scale, colours)
    return page


def _split(flat: str) -> tuple[str, dict[str, str], str, str]:
    """The beginning of a drawing, its symbols, its ground with the cards, and what lies above them."""
    opening, _, rest = flat.partition("<defs>")
    defs, _, body = rest.partition("</defs>")
    ground, _, above = body.removesuffix("</svg>").partition('<g class="above">')
    head, _, felt = opening.partition("</style>")
    symbols = {part.partition('"')[0]: part.partition(">")[2].removesuffix("</g>") for part in _SYMBOL.split(defs)[1:]}
    return (
        f"{head}</style>",
        symbols,
        f"{felt.replace(_CORNERS, '', 1)}{_GHOST.sub('', ground)}",
        above.removesuffix("</g>"),
    )


@functools.lru_cache(KEPT)
def _card(symbol: str, rules: str, scale: float, turn: float, kind: str, part: tuple[float, float]) -> Any:
    """A card or tile in the middle of an image, moved on by parts of a pixel. Games show the same ones again."""
    half = ceil(REACH * scale) + 1
    moved = f"translate({half + part[0]:.2f} {half + part[1]:.2f})rotate({turn})scale({scale})"
    return _paint(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="te" viewBox="0 0 {2 * half} {2 * half}"><style>{rules}</style>'
        f'<defs><g id="card">{symbol}</g></defs><use href="#card" transform="{moved}" class="{kind}"/></svg>',
        2 * half,
    )


def _paint(svg: str, width: int) -> Any:
    import resvg_py
    from PIL import Image

    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(drawn))) as image:
        return image.convert("RGBA")


def _flat(svg: str, theme: str) -> tuple[dict[str, str], str, str]:
    """The colours of one theme, and the rules and the whole drawing with them written out."""
    found = _LOOK.search(svg)
    if found is None:
        raise ValueError("svg is not allowed; allowed: a drawing of this package")
    dark = theme == "dark" or (theme == "auto" and ' class="te dark"' in svg[: found.start()])
    colours = _colours(found[1]) | (_colours(found[2]) if dark else {})
    whole = f"{svg[: found.start()]}<style>{found[3]}</style>{svg[found.end() :]}"
    rules, whole = (_VARIABLE.sub(lambda name: colours[name[1]], text) for text in (found[3], whole))
    return colours, rules, whole


def _colours(rules: str) -> dict[str, str]:
    pairs = (rule.strip("-").split(":") for rule in rules.split(";"))
    return dict(pairs)


def _width(svg: str) -> float:
    found = _SIZE.search(svg)
    return float(found[1]) if found else 1.0


def _write(pen: Any, texts: Sequence[tuple[str, ...]], scale: float, colours: dict[str, str]) -> None:
    """The words, each on its base line."""
    for x, y, size, kinds, words in texts:
        styles = kinds.split()
        named = [colours[_INKS[style]] for style in styles if style in _INKS]
        anchor = "ms" if "m" in styles else "rs" if "e" in styles else "ls"
        points = float(size) * scale
        pen.text(
            (float(x) * scale, float(y) * scale), unescape(words), (named or [colours["ink"]])[0],
            _typeface(round(points * 2)), anchor, stroke_width=points * _BOLD if "b" in styles else 0,
        )  # fmt: skip


@functools.lru_cache(64)
def _typeface(half_points: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(max(1, half_points / 2))
