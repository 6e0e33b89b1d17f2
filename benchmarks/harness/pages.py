"""Write what programs report: numbers as text, pages from templates, files of results, and pictures.

Pictures are drawn with matplotlib as SVG for light and dark: one file for each theme, or one with the colours of the
page.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from rich.table import Table

from tantra_envs.adapters.programs import COUNTS
from tantra_envs.programs.files import write_content

# For colour-blind readers (after Okabe and Ito, https://jfly.uni-koeln.de/color); they also differ in lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#555555")
PROGRAM_ROWS = (
    "decisions in all",
    "characters sent",
    "characters received",
    "seconds",
    "illegal replies",
    "actions drawn",
    "lines dropped",
)
THEMES: dict[str, dict[str, Any]] = {
    "light": {"ink": "#1f2328", "paper": "#ffffff", "lines": "#d8dee4", "players": COLOURS},
    "dark": {"ink": "#e6edf3", "paper": "#0d1117", "lines": "#30363d", "players": (COLOURS[4], *COLOURS[1:4])},
}
SHADES = ("ink", "paper", "lines")
PLAYERS = 4  # number of colours in every theme
INKED = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")


# Numbers as text


def number(value: float, places: int, signed: bool = False) -> str:
    """Return `value` with `places` decimals, and 0 without a minus sign."""
    return f"{round(value, places) + 0.0:{'+' if signed else ''}.{places}f}"


def digits(value: float) -> int:
    """Return the number of decimals for a value: three for shares, fewer for large numbers."""
    return 3 if abs(value) < 10 else 1 if abs(value) < 1000 else 0


def with_ends(value: float, low: float, high: float, places: int, signed: bool = False) -> str:
    """Return a value with its interval as text, "-" for NaN."""
    if math.isnan(value):
        return "-"
    return f"{number(value, places, signed)} [{number(low, places, signed)}, {number(high, places, signed)}]"


def line_with_ends(line: Mapping[str, Any], places: int | None = None) -> str:
    """Return the value of a line of results with its interval as text, by default with the usual decimals."""
    usual = digits(line["value"]) if places is None else places
    return with_ends(line["value"], line["low"], line["high"], usual)


def score_in_words(score: Mapping[str, Any] | None) -> str:
    """Return a score with its interval as text, "-" where nothing was played."""
    return with_ends(score["mean"], score["low"], score["high"], 3) if score else "-"


# Tables


def table(head: Iterable[str], rows: Iterable[Iterable[object]], right: Container[int] = ()) -> str:
    """Return a table in Markdown; the columns whose numbers are in `right` are aligned to the right."""
    head = list(head)
    rule = ["---:" if column in right else "---" for column in range(len(head))]
    lines = (f"| {' | '.join(map(str, cells))} |\n" for cells in (head, rule, *rows))
    return "".join(lines).replace("|  |", "| |")


def usage_table(programs: Mapping[str, Mapping[str, float]]) -> Table:
    """Return the table of programs for the screen."""
    table = Table("per decision", *programs)
    for name, words, places in zip(COUNTS, PROGRAM_ROWS, (0, 0, 0, 3, 3, 3, 3), strict=True):
        table.add_row(words, *(f"{used[name]:,.{places}f}" for used in programs.values()))
    return table


# Pages and files of results


def write_page(file: Path, template: str, **values: Any) -> None:
    """Fill in a template in the folder `pages` of the views. HTML is escaped, Markdown is not."""
    import jinja2

    loader = jinja2.PackageLoader("benchmarks.views", "pages")
    rules: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    room = jinja2.Environment(
        loader=loader, autoescape=template.endswith(".html"), undefined=jinja2.StrictUndefined, **rules
    )
    write_content(file, room.get_template(template).render(values))


# Pictures for light and dark


def write_both(page: Path, name: str, draw: Callable[[], Figure], salt: str) -> dict[str, Path]:
    """Write `NAME-light.svg` and `NAME-dark.svg` next to a page, and return the files by theme.

    Equal numbers with the same salt give equal bytes.
    """
    files = {theme: page.with_name(f"{name}-{theme}.svg") for theme in THEMES}
    for theme, file in files.items():
        write_content(file, _svg(draw, theme, salt))
    return files


def inline_svg(draw: Callable[[], Figure]) -> str:
    """Return a picture to include in a page whose style has `theme_variables`; it follows the theme of the page."""
    text = _svg(draw, "light", "overview")
    text = re.sub(r"<metadata>.*?</metadata>\s*", "", text[text.index("<svg") :], flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*">', "<g>", text)  # the ids would occur in every picture of a page
    names = {colour.lower(): f"var(--{name})" for name, colour in _named("light").items()}
    return re.sub("|".join(names), lambda colour: names[colour[0]], text)


def theme_variables(theme: str) -> str:
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
    below = [max(0.0, score["mean"] - score["low"]) for score in scores]
    return means, [below, [max(0.0, score["high"] - score["mean"]) for score in scores]]
