"""Drawings as pixels, by resvg: it knows neither CSS variables nor media queries, so a theme is written out first."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

ROUND = ' rx="8"'  # of the felt
THEMES = ("auto", "light", "dark")
_LOOK = re.compile(r"<style>#[\w-]+\{(.*?)\}@media.*?\.dark\{(.*?)\}(.*?)</style>")
_VARIABLE = re.compile(r"var\(--(\w+)\)")
_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts", "/System/Library/Fonts",
            "/Library/Fonts", "C:/Windows/Fonts")  # fmt: skip
# Families that are worth looking for: their files, plain and bold.
_FAMILIES = {
    "Liberation Sans": ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    "DejaVu Sans": ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    "Arial": ("Arial.ttf", "Arial Bold.ttf"),
    "arial": ("arial.ttf", "arialbd.ttf"),
    "Noto Sans": ("NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
}


def png(svg: str, width: int = 600, theme: str = "auto") -> bytes:
    """A drawing as PNG of that width in pixels; `theme` auto keeps that of the drawing, or is light."""
    if not isinstance(width, (int, np.integer)) or width < 1:
        raise ValueError(f"width={width!r} is not allowed; allowed: a number of pixels from 1 on")
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=flat(svg, theme), width=int(width), **_fonts()))


def rgb_array(svg: str, width: int = 600, theme: str = "auto") -> npt.NDArray[np.uint8]:
    """A drawing as pixels, shape (height, width, 3)."""
    return np.asarray(_image(svg, width, theme))


def gif(drawings: Sequence[str], width: int = 600, theme: str = "auto", seconds: float = 0.8) -> bytes:
    """Drawings one after another as an animated GIF; lower ones stand on their own background."""
    frames = [_image(svg, width, theme) for svg in drawings]
    if not frames:
        raise ValueError("a film needs a drawing at least")
    height = max(frame.height for frame in frames)
    from PIL import Image

    whole = [Image.new("RGB", (width, height), frame.getpixel((width // 2, frame.height - 1))) for frame in frames]
    for page, frame in zip(whole, frames, strict=True):
        page.paste(frame)
    colours = [page.quantize(128, dither=Image.Dither.NONE) for page in whole]
    out = io.BytesIO()
    times = [round(1000 * seconds)] * (len(colours) - 1) + [round(3000 * seconds)]
    colours[0].save(out, "GIF", save_all=True, append_images=colours[1:], duration=times, loop=0, disposal=1)
    return out.getvalue()


def _image(svg: str, width: int, theme: str) -> Any:
    """Without transparent corners."""
    from PIL import Image

    with Image.open(io.BytesIO(png(svg.replace(ROUND, "", 1), width, theme))) as image:
        return image.convert("RGB")


def flat(svg: str, theme: str = "auto") -> str:
    """The drawing with the colours of one theme written out."""
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} is not allowed; allowed: {', '.join(THEMES)}")
    found = _LOOK.search(svg)
    if found is None:
        raise ValueError("svg is not a drawing of this package")
    dark = theme == "dark" or (theme == "auto" and ' class="te dark"' in svg[: found.start()])
    colours = _colours(found[1]) | (_colours(found[2]) if dark else {})
    whole = f"{svg[: found.start()]}<style>{found[3]}</style>{svg[found.end() :]}"
    return _VARIABLE.sub(lambda name: colours[name[1]], whole)


def _colours(rules: str) -> dict[str, str]:
    return dict(rule.strip("-").split(":") for rule in rules.split(";"))


@functools.cache
def _fonts() -> dict[str, Any]:
    """The first known family on this machine; without any, words are left to what resvg finds."""
    for family, files in _FAMILIES.items():
        found = [path for name in files for path in _find(name)[:1]]
        if len(found) == len(files):
            named = {f"{kind}_family": family.title() for kind in ("font", "serif", "sans_serif")}
            if family == "DejaVu Sans":
                named = dict.fromkeys(named, family)
            return {"skip_system_fonts": True, "font_files": found, **named}
    return {}


def _find(name: str) -> list[str]:
    folders = [Path(folder).expanduser() for folder in _FOLDERS]
    return [str(path) for folder in folders if folder.is_dir() for path in sorted(folder.rglob(name))]
