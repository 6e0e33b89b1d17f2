"""Pictures for pages that are read in light and in dark: each is drawn once for either theme, as SVG."""

from __future__ import annotations

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
INKED = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")


def write_both(page: Path, name: str, draw: Callable[[], Figure], salt: str) -> dict[str, Path]:
    """A picture beside a page, `NAME-light.svg` and `NAME-dark.svg`: by theme, where it lies."""
    files = {theme: page.with_name(f"{name}-{theme}.svg") for theme in THEMES}
    for theme, file in files.items():
        write_svg(file, draw, theme, salt)
    return files


def write_svg(file: Path, draw: Callable[[], Figure], theme: str, salt: str) -> None:
    """Draw a picture in the colours of a theme; the same numbers, and the same salt, give the same bytes."""
    colours = THEMES[theme]
    style = {
        **{"svg.fonttype": "none", "svg.hashsalt": salt, "font.family": "sans-serif"},
        **dict.fromkeys(INKED, colours["ink"]),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor"), colours["paper"]),
        **{"grid.color": colours["lines"], "axes.prop_cycle": cycler(color=colours["players"])},
    }
    with matplotlib.rc_context(style):
        drawn = draw()
        write_whole(file, lambda part: drawn.savefig(part, format="svg", metadata={"Date": None}))


def finish(axes: Axes, axis: Literal["x", "y"] = "y") -> None:
    """What all panels have: a grid behind, and no frame above and to the right."""
    axes.grid(axis=axis)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def means_and_ends(scores: Sequence[Mapping[str, float]]) -> tuple[list[float], list[list[float]]]:
    """Scores with mean, low and high, and how far their intervals go below and above, as error bars want them."""
    means = [score["mean"] for score in scores]
    return means, [[s["mean"] - s["low"] for s in scores], [s["high"] - s["mean"] for s in scores]]
