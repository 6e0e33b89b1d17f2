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
from typing import Any

import numpy as np
import numpy.typing as npt

from .colours import THEMES

WIDEST = 8192  # pixels
_LOOK = re.compile(r"<style>#[\w-]+\{(.*?)\}@media.*?\.dark\{(.*?)\}(.*?)</style>")
_VARIABLE = re.compile(r"var\(--(\w+)\)")
_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_CORNERS = ' rx="8"'  # of the felt: pixels have nothing to show behind them
_TITLE = re.compile(r"<title>.*?</title>")
_TEXT = re.compile(
    r'<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"(?: class="([\w ]*)")?(?: style="fill:(#\w+)")?>(.*?)</text>'
)
_INKS = {"soft": "soft", "p": "print"}  # classes of words -> their colour
_BOLD = 0.035  # stroke round bold letters, in sizes


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
    if isinstance(width, bool) or not isinstance(width, (int, np.integer)) or not 1 <= width <= WIDEST:
        raise ValueError(f"width={width!r} is not allowed; allowed: 1..{WIDEST} pixels")
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is not allowed; allowed: {', '.join(THEMES)}")
    import resvg_py
    from PIL import Image, ImageDraw

    colours, flat = _flat(svg, theme)
    texts = _TEXT.findall(flat)
    shapes = _TITLE.sub("", _TEXT.sub("", flat)).replace(_CORNERS, "", 1)
    drawn = resvg_py.svg_to_bytes(svg_string=shapes, width=int(width), skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(drawn))) as image:
        page = image.convert("RGB")
    _write(ImageDraw.Draw(page), texts, width / _width(svg), colours)
    return page


def _flat(svg: str, theme: str) -> tuple[dict[str, str], str]:
    """The colours of one theme, and the drawing with them written out."""
    found = _LOOK.search(svg)
    if found is None:
        raise ValueError("svg is not allowed; allowed: a drawing of this package")
    dark = theme == "dark" or (theme == "auto" and ' class="te dark"' in svg[: found.start()])
    colours = _colours(found[1]) | (_colours(found[2]) if dark else {})
    whole = f"{svg[: found.start()]}<style>{found[3]}</style>{svg[found.end() :]}"
    return colours, _VARIABLE.sub(lambda name: colours[name[1]], whole)


def _colours(rules: str) -> dict[str, str]:
    pairs = (rule.strip("-").split(":") for rule in rules.split(";"))
    return {name: colour for name, colour in pairs}


def _width(svg: str) -> float:
    found = _SIZE.search(svg)
    return float(found[1]) if found else 1.0


def _write(pen: Any, texts: Sequence[tuple[str, ...]], scale: float, colours: dict[str, str]) -> None:
    """The words, each on its base line."""
    for x, y, size, kinds, fill, words in texts:
        styles = kinds.split()
        named = [colours[_INKS[style]] for style in styles if style in _INKS]
        anchor = "ms" if "m" in styles else "rs" if "e" in styles else "ls"
        points = float(size) * scale
        pen.text(
            (float(x) * scale, float(y) * scale), unescape(words), fill or (named or [colours["ink"]])[0],
            _typeface(round(points * 2)), anchor, stroke_width=points * _BOLD if "b" in styles else 0,
        )  # fmt: skip


@functools.lru_cache(64)
def _typeface(half_points: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(max(1, half_points / 2))
