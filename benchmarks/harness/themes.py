"""Draw pictures as SVG for pages in light and dark: one file for each theme, or one with the colours of the page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import matplotlib
from matplotlib.rcsetup import cycler

from tantra_envs.files import write_content

from .formatting import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

THEMES: dict[str, dict[str, Any]] = {
    "light": {"ink": "#1f2328", "paper": "#ffffff", "lines": "#d8dee4", "players": COLOURS},
    "dark": {"ink": "#e6edf3", "paper": "#0d1117", "lines": "#30363d", "players": (COLOURS[4], *COLOURS[1:4])},
}
SHADES = ("ink", "paper", "lines")
PLAYERS = 4  # number of colours in every theme
INKED = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")


def write_both(page: Path, name: str, draw: Callable[[], Figure], salt: str) -> dict[str, Path]:
    """Write `NAME-light.svg` and `NAME-dark.svg` next to a page, and return the files by theme.

    Equal numbers with the same salt give equal bytes.
    """
    files = {theme: page.with_name(f"{name}-{theme}.svg") for theme in THEMES}
    for theme, file in files.items():
        write_content(file, _svg(draw, theme, salt))
    return files


def inline_svg(draw: Callable[[], Figure], salt: str) -> str:
    """Return a picture to include in a page whose style has `variables`; it follows the theme of the page."""
    text = _svg(draw, "light", salt)
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)  # the ids would occur in every picture of a page
    names = {colour.lower(): f"var(--{name})" for name, colour in _named("light").items()}
    return re.sub("|".join(names), lambda colour: names[colour[0]], text)


def variables(theme: str) -> str:
    """Return the colours of a theme as declarations of a style sheet: --ink, --paper, --lines, --c0 .."""
    return " ".join(f"--{name}: {colour};" for name, colour in _named(theme).items())


def _named(theme: str) -> dict[str, str]:
    colours = THEMES[theme]
    return {name: colours[name] for name in SHADES} | {f"c{i}": colours["players"][i] for i in range(PLAYERS)}


def _svg(draw: Callable[[], Figure], theme: str, salt: str) -> str:
    colours = THEMES[theme]
    style = {
        "svg.fonttype": "none",
        "svg.hashsalt": salt,
        "font.family": "sans-serif",
        **dict.fromkeys(INKED, colours["ink"]),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor"), colours["paper"]),
        "grid.color": colours["lines"],
        "axes.prop_cycle": cycler(color=colours["players"]),
    }
    with matplotlib.rc_context(style):
        drawn = io.StringIO()
        draw().savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()


def finish(axes: Axes, axis: Literal["x", "y"] = "y") -> None:
    """Add what all panels have: a grid in the background, and no frame at the top and on the right."""
    axes.grid(axis=axis)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def means_and_ends(scores: Sequence[Mapping[str, float]]) -> tuple[list[float], list[list[float]]]:
    """Return the means of scores, and the lengths of their error bars below and above."""
    means = [score["mean"] for score in scores]
    return means, [[s["mean"] - s["low"] for s in scores], [s["high"] - s["mean"] for s in scores]]
