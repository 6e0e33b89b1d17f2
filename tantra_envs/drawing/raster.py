"""Drawings as pixels, with the extra `render`: resvg paints the shapes, Pillow writes the words.

resvg supports neither CSS variables nor media queries, so the colours of one theme are inserted first. Decoding the PNG
that resvg returns costs more than drawing it. So a table is composed of small pieces, and pieces of earlier tables are
used again. Pillow includes a typeface, so pictures are the same on every machine, with or without installed typefaces.
"""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from math import ceil, floor, log2
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .colours import check_look

WIDEST = 8192  # pixels
REACH = 75  # units from the origin of a card or tile to its farthest mark
ROUGH = 3  # units per pixel of the small pictures that find the edges of cards
PARTS = 4  # cards are placed to a quarter of a pixel
EDGE = 3  # empty pixels around a card before it is scaled down, by a factor of at most 2.6
STEP, COARSE = 6, 140  # units per pixel, and pixels per side, of the pictures that find the edges of shapes
KEPT = 1024  # cards in memory, about 30 kB each, in their shown size and a larger one
GROUNDS = 128  # panels and other shapes in memory, up to 1 MB each
INKS = 96  # colours of a GIF
_LOOK = re.compile(
    r'viewBox="0 0 (?P<w>[\d.]+) (?P<h>[\d.]+)"[^>]*><style>#(?P<root>[\w-]+)\{(?P<light>.*?)\}@media.*?'
    r"\.dark\{(?P<dark>.*?)\}(?P<rules>.*?)</style>"
)
_VARIABLE = re.compile(r"var\(--(\w+)\)")
_PIECE = re.compile(
    r'<use href="#[\w-]+-(?P<symbol>\w+)" transform="translate\((?P<x>[-\d.]+) (?P<y>[-\d.]+)\)'
    r'(?:rotate\((?P<turn>[-\d.]+)\))?(?:scale\((?P<scale>[\d.]+)\))?"(?: class="(?P<kind>[\w ]*)")?[^>]*>(?:</use>)?'
    r"|<rect(?P<box>[^>]*?)(?:/>|></rect>)|<circle(?P<disc>[^>]*?)/>|<g[ >].*?</g>"
)
_NUMBER = re.compile(r'([\w-]+)="([-\d.]+)"')
_SYMBOL = re.compile(r'<g id="[\w-]+-')
_GHOST = re.compile(r'<(?:use|rect) class="for"[^>]*?(?:/>|></rect>)')
_EMPTY = re.compile(r"<g[^>]*></g>")
_TITLE = re.compile(r"<title>.*?</title>")
_TEXT = re.compile(r'<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"(?: class="([\w ]*)")?>(.*?)</text>')
_INKS = {"soft": "soft", "p": "print", "paper": "panel"}  # classes of words -> their colour
_BOLD = 0.022  # stroke around bold letters, relative to their size


class _Box(NamedTuple):
    """The edges of a rectangle."""

    left: float
    upper: float
    right: float
    lower: float


def png(svg: str, width: int = 600, theme: str = "auto") -> bytes:
    """Return a drawing as PNG, `width` pixels wide. The theme `auto` keeps the theme of the drawing."""
    out = io.BytesIO()
    _image(svg, width, theme).save(out, "PNG")
    return out.getvalue()


def rgb_array(svg: str, width: int = 600, theme: str = "auto") -> npt.NDArray[np.uint8]:
    """Return a drawing as pixels, np.uint8 of shape (height, width, 3)."""
    return np.array(_image(svg, width, theme))


def gif(drawings: Sequence[str], width: int = 600, theme: str = "auto", seconds: float = 0.8) -> bytes:
    """Return drawings as an animated GIF. Drawings that are not as high as the highest are padded with their felt."""
    if not drawings:
        raise ValueError("drawings=[] is not allowed; allowed: at least one drawing")
    from PIL import Image

    frames = [_image(svg, width, theme) for svg in drawings]
    height = max(frame.height for frame in frames)
    pages = [Image.new("RGB", (width, height), frame.getpixel((0, 0))) for frame in frames]
    for page, frame in zip(pages, frames, strict=True):
        page.paste(frame)
    strip = Image.new("RGB", (width, height * len(pages)))
    for i, page in enumerate(pages):
        strip.paste(page, (0, height * i))
    inks = strip.quantize(INKS, dither=Image.Dither.NONE)  # one palette for all, so that only changes are stored
    first, *more = (page.quantize(palette=inks, dither=Image.Dither.NONE) for page in pages)
    times = [round(1000 * seconds)] * len(more) + [round(3000 * seconds)]
    out = io.BytesIO()
    first.save(out, "GIF", save_all=True, append_images=more, duration=times, loop=0)
    return out.getvalue()


def _image(svg: str, width: int, theme: str) -> Any:
    """Paint the felt, then everything on it in order, then the words."""
    if isinstance(width, bool) or not isinstance(width, (int, np.integer)) or not 1 <= width <= WIDEST:
        raise ValueError(f"width={width!r} is not allowed; allowed: 1..{WIDEST} pixels")
    check_look(theme)
    from PIL import Image, ImageDraw

    (across, high), colours, rules, flat = _flat(svg, theme)
    scale = int(width) / across
    texts, flat = _TEXT.findall(flat), _TITLE.sub("", _TEXT.sub("", flat))
    symbols, body = _split(flat)
    page = Image.new("RGB", (int(width), max(1, round(high * scale))), colours["felt"])
    for piece, at in _pieces(body, symbols, rules, scale):
        page.paste(piece, at, piece)
    _write(ImageDraw.Draw(page), texts, scale, colours)
    return page


def _split(flat: str) -> tuple[dict[str, str], str]:
    """Return the symbols of a drawing by name, and the parts on its felt."""
    defs, _, body = flat.partition("<defs>")[2].partition("</defs>")
    symbols = {part.partition('"')[0]: part.partition(">")[2].removesuffix("</g>") for part in _SYMBOL.split(defs)[1:]}
    ground, _, above = body.removesuffix("</g></svg>").partition('<g class="above">')
    return symbols, _EMPTY.sub("", _GHOST.sub("", ground + above))


def _pieces(body: str, symbols: Mapping[str, str], rules: str, scale: float) -> Iterator[tuple[Any, tuple[int, int]]]:
    """Yield images of cards, panels and the shapes between them, with the pixel of their upper left corner."""
    done = 0
    for found in _PIECE.finditer(body):
        if found[0].startswith("<g"):
            continue
        if between := body[done : found.start()]:
            yield from _drawn(between, rules, scale, None)
        done = found.end()
        if found["symbol"]:
            yield _placed(found, symbols[found["symbol"]], rules, scale)
        else:
            yield from _drawn(found[0], rules, scale, _edges(found["box"] or found["disc"]))
    if between := body[done:]:
        yield from _drawn(between, rules, scale, None)


def _placed(use: re.Match[str], symbol: str, rules: str, scale: float) -> tuple[Any, tuple[int, int]]:
    """Return the image and corner of the card or tile of a `use` element."""
    left, top = float(use["x"]) * scale, float(use["y"]) * scale
    x, y = floor(left), floor(top)
    parts = round(PARTS * (left - x)) / PARTS, round(PARTS * (top - y)) / PARTS
    size = round(float(use["scale"] or 1) * scale, 4)
    card, (dx, dy) = _card(symbol, rules, size, float(use["turn"] or 0), use["kind"] or "", parts)
    return card, (x + dx, y + dy)


@functools.lru_cache(KEPT)
def _card(
    symbol: str, rules: str, scale: float, turn: float, kind: str, part: tuple[float, float]
) -> tuple[Any, tuple[int, int]]:
    """Return a card or tile, shifted by parts of a pixel, and the offset of its corner from its origin."""
    from PIL.Image import Resampling

    fineness = 2.0 ** ceil(log2(1.3 * scale))
    large, corner = _large(symbol, rules, turn, kind, fineness)
    step = fineness / scale  # pixels of the large picture per pixel
    first = [floor(part[i] + (corner[i] + EDGE) / step) for i in (0, 1)]
    last = [ceil(part[i] + (corner[i] + large.size[i] - EDGE) / step) for i in (0, 1)]
    box = [(pixel[i] - part[i]) * step - corner[i] for pixel in (first, last) for i in (0, 1)]
    size = max(1, last[0] - first[0]), max(1, last[1] - first[1])
    return large.resize(size, Resampling.BICUBIC, tuple(box)), (first[0], first[1])


@functools.lru_cache(KEPT)
def _large(symbol: str, rules: str, turn: float, kind: str, fineness: float) -> tuple[Any, tuple[int, int]]:
    """Return a card or tile larger than needed, with an empty edge, and the offset of its corner from its origin."""
    from PIL.Image import Resampling

    far = REACH // ROUGH
    seen = _roughly(symbol, rules, kind).rotate(-turn, Resampling.BILINEAR).getbbox() or (far, far, far + 1, far + 1)
    left, upper, right, lower = ((edge - far) * ROUGH * fineness for edge in seen)
    box = _Box(floor(left) - EDGE, floor(upper) - EDGE, ceil(right) + EDGE, ceil(lower) + EDGE)
    return _paint(_used(symbol, turn, kind, fineness), rules, box, 1), (int(box.left), int(box.upper))


@functools.lru_cache(KEPT)
def _roughly(symbol: str, rules: str, kind: str) -> Any:
    """Return a small picture of a card or tile, not rotated, to find its edges."""
    far = REACH // ROUGH
    return _paint(_used(symbol, 0, kind, 1 / ROUGH), rules, _Box(-far, -far, far, far), 1)


def _used(symbol: str, turn: float, kind: str, scale: float) -> str:
    how = f"rotate({turn})scale({scale})"
    return f'<defs><g id="card">{symbol}</g></defs><use href="#card" transform="{how}" class="{kind}"/>'


@functools.lru_cache(GROUNDS)
def _drawn(shapes: str, rules: str, scale: float, box: _Box | None) -> tuple[tuple[Any, tuple[int, int]], ...]:
    """Paint shapes inside `box` in units, or inside the edges found in a coarse picture. Return () if nothing shows."""
    if box is None:
        coarse = _paint(shapes, rules, _Box(0, 0, COARSE, COARSE), 1 / STEP).getbbox()
        if coarse is None:
            return ()
        left, upper, right, lower = coarse
        box = _Box(STEP * (left - 1), STEP * (upper - 1), STEP * (right + 1), STEP * (lower + 1))
    edges = _Box(floor(box.left * scale), floor(box.upper * scale), ceil(box.right * scale), ceil(box.lower * scale))
    return ((_paint(shapes, rules, edges, scale), (int(edges.left), int(edges.upper))),)


def _edges(attributes: str) -> _Box:
    """Return the edges of a rectangle or circle, including its line, in units."""
    given = {name: float(number) for name, number in _NUMBER.findall(attributes)}
    r, line = given.get("r", 0.0), given.get("stroke-width", 1.0) / 2
    x, y = (given.get(name, 0.0) for name in (("cx", "cy") if r else ("x", "y")))
    x, y, w, h = x - r, y - r, given.get("width", 2 * r), given.get("height", 2 * r)
    return _Box(x - line, y - line, x + w + line, y + h + line)


def _paint(shapes: str, rules: str, box: _Box, scale: float) -> Any:
    """Return the pixels of a box of shapes, which are drawn `scale` times as large. The cost grows with the pixels."""
    import resvg_py
    from PIL import Image

    width, height = box.right - box.left, box.lower - box.upper
    drawn = resvg_py.svg_to_bytes(
        svg_string=f'<svg xmlns="http://www.w3.org/2000/svg" class="te" width="{width}" height="{height}" '
        f'viewBox="{box.left / scale} {box.upper / scale} {width / scale} {height / scale}">'
        f"<style>{rules}</style>{shapes}</svg>",
        skip_system_fonts=True,
    )
    with Image.open(io.BytesIO(bytes(drawn))) as image:
        return image.convert("RGBA")


def _flat(svg: str, theme: str) -> tuple[tuple[float, float], dict[str, str], str, str]:
    """Return the size in units, the colours of one theme, and the rules and the rest with these colours inserted."""
    found = _LOOK.search(svg)
    if found is None:
        raise ValueError("svg is not allowed; allowed: a drawing of this package")
    dark = theme == "dark" or (theme == "auto" and ' class="te dark"' in svg[: found.start()])
    colours = _colours(found["light"]) | (_colours(found["dark"]) if dark else {})
    rules = found["rules"].replace(found["root"], "root")  # one name, so that the caches work across drawings
    rules, body = (_VARIABLE.sub(lambda name: colours[name[1]], text) for text in (rules, svg[found.end() :]))
    return (float(found["w"]), float(found["h"])), colours, rules, body


def _colours(rules: str) -> dict[str, str]:
    pairs = (rule.strip("-").split(":") for rule in rules.split(";"))
    return dict(pairs)


def _write(pen: Any, texts: Sequence[tuple[str, ...]], scale: float, colours: dict[str, str]) -> None:
    """Write the words, each on its base line."""
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
