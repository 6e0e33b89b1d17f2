"""Drawings as pixels, with the extra `render`: resvg paints shapes and words, Pillow has the typeface and makes films.

resvg supports neither CSS variables nor media queries, so the colours of one theme are inserted first. Pillow includes
a typeface, so pictures are the same on every machine, with or without installed typefaces.
"""

from __future__ import annotations

import atexit
import functools
import io
import os
import re
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.options import Whole, require
from .colours import check_look

WIDEST = 8192  # pixels
TYPEFACE = "Aileron"  # the one that Pillow includes
INKS = 96  # colours of a GIF
_PALETTE = re.compile(r"#[\w-]+(\.dark)?\{(--[^}]*)\}")
_VARIABLE = re.compile(r"var\(--(\w+)\)")
# The typeface has no bold letters: a line around them, of the colour of the letters, makes them bold.
BOLD = "".join(
    f".te text.b{kind}{{stroke:var(--{ink});stroke-width:.044em}}"
    for kind, ink in (("", "ink"), (".p", "print"), (".paper", "panel"), (".soft", "soft"))
)


def png(svg: str, width: int = 600, theme: str = "auto") -> bytes:
    """Return a drawing as PNG, `width` pixels wide. The theme `auto` keeps the theme of the drawing."""
    require("width", width, width in Whole(1, WIDEST), f"1..{WIDEST} pixels")
    check_look(theme)
    import resvg_py

    colours = _colours(svg, theme)
    flat, bold = (_VARIABLE.sub(lambda name: colours[name[1]], text) for text in (svg, BOLD))
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=flat.replace("</style>", f"{bold}</style>", 1),
            width=int(width),
            background=colours["felt"],
            skip_system_fonts=True,
            font_files=[_typeface()],
            sans_serif_family=TYPEFACE,
        )
    )


def rgb_array(svg: str, width: int = 600, theme: str = "auto") -> npt.NDArray[np.uint8]:
    """Return a drawing as pixels, np.uint8 of shape (height, width, 3)."""
    return np.array(_image(svg, width, theme))


def gif(drawings: Sequence[str], width: int = 600, theme: str = "auto", seconds: float = 0.8) -> bytes:
    """Return drawings as an animated GIF. Drawings that are not as high as the highest are padded with their felt."""
    require("drawings", drawings, drawings, "at least one drawing")
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
    from PIL import Image

    with Image.open(io.BytesIO(png(svg, width, theme))) as image:
        return image.convert("RGB")


def _colours(svg: str, theme: str) -> dict[str, str]:
    """Return the colours of one theme by name."""
    palettes = dict(_PALETTE.findall(svg))
    if "" not in palettes:
        raise ValueError("svg is not allowed; allowed: a drawing of this package")
    dark = theme == "dark" or (theme == "auto" and ' class="te dark"' in svg)
    rules = ";".join([palettes[""], *([palettes[".dark"]] if dark else [])])
    return dict(rule.strip("-").split(":") for rule in rules.split(";"))


@functools.cache
def _typeface() -> str:
    """Return the path of a file with the typeface of Pillow, which is deleted when Python ends."""
    from PIL import ImageFont

    typeface: Any = ImageFont.load_default(10)
    handle, path = tempfile.mkstemp(".ttf", "tantra-envs-")
    with os.fdopen(handle, "wb") as file:
        file.write(typeface.font_bytes)
    atexit.register(os.unlink, path)
    return path
