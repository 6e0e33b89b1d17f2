"""Pictures for pages read in light and in dark, as SVG: drawn once for either theme, or in the colours of a page."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import matplotlib
from matplotlib.rcsetup import cycler

from tantra_envs.files import write_whole

from .formatting import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

THEMES: dict[str, dict[str, Any]] = {
    "light": {"ink": "#1f2328", "paper": "#ffffff", "lines": "#d8dee4", "players": COLOURS},
    "dark": {"ink": "#e6edf3", "paper": "#0d1117", "lines": "#30363d", "players": (COLOURS[4], *COLOURS[1:4])},
}
SHADES = ("ink", "paper", "lines")
PLAYERS = 4  # so many have a colour in every theme
INKED = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")


def write_both(page: Path, name: str, draw: Callable[[], Figure], salt: str) -> dict[str, Path]:
    """A picture beside a page, `NAME-light.svg` and `NAME-dark.svg`: by theme, where it lies."""
    files = {theme: page.with_name(f"{name}-{theme}.svg") for theme in THEMES}
    for theme, file in files.items():
        write_svg(file, draw, theme, salt)
    return files


def write_svg(file: Path, draw: Callable[[], Figure], theme: str, salt: str) -> None:
    """Keep a picture in the colours of a theme; the same numbers, and the same salt, give the same bytes."""
    text = _svg(draw, theme, salt)
    write_whole(file, lambda part: part.write_text(text, encoding="utf-8"))


def inline_svg(draw: Callable[[], Figure], salt: str) -> str:
    """A picture to stand inside a page whose style has `variables`: one for all themes."""
    text = _svg(draw, "light", salt)
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)  # which would be there in every picture of a page
    names = {colour.lower(): f"var(--{name})" for name, colour in _named("light").items()}
    return re.sub("|".join(names), lambda colour: names[colour[0]], text)


def variables(theme: str) -> str:
    """The colours of a theme as a style sheet declares them: --ink, --paper, --lines, --c0 .."""
    return " ".join(f"--{name}: {colour};" for name, colour in _named(theme).items())


def _named(theme: str) -> dict[str, str]:
    colours = THEMES[theme]
    return {name: colours[name] for name in SHADES} | {f"c{i}": colours["players"][i] for i in range(PLAYERS)}


def _svg(draw: Callable[[], Figure], theme: str, salt: str) -> str:
    colours = THEMES[theme]
    style = {
        **{"svg.fonttype": "none", "svg.hashsalt": salt, "font.family": "sans-serif"},
        **dict.fromkeys(INKED, colours["ink"]),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor"), colours["paper"]),
        **{"grid.color": colours["lines"], "axes.prop_cycle": cycler(color=colours["players"])},
    }
    with matplotlib.rc_context(style):
        drawn = io.StringIO()
        draw().savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()


def finish(axes: Axes, axis: Literal["x", "y"] = "y") -> None:
    """What all panels have: a grid behind, and no frame above and to the right."""
    axes.grid(axis=axis)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def means_and_ends(scores: Sequence[Mapping[str, float]]) -> tuple[list[float], list[list[float]]]:
    """Scores with mean, low and high, and how far their intervals go below and above, as error bars want them."""
    means = [score["mean"] for score in scores]
    return means, [[s["mean"] - s["low"] for s in scores], [s["high"] - s["mean"] for s in scores]]
