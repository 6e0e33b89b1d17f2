"""How numbers, names, pages and pictures look, the same in all reports."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tantra_envs
from tantra_envs.files import write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Told apart by any eye (after Okabe and Ito, https://jfly.uni-koeln.de/color), and in grey by their lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#555555")


def number(value: float, places: int, signed: bool = False) -> str:
    """`value` with so many digits behind the point; no minus before a zero."""
    return f"{round(value, places) + 0.0:{'+' if signed else ''}.{places}f}"


def digits(value: float) -> int:
    """How many stand behind the point: three of shares, fewer of large numbers."""
    return 3 if abs(value) < 10 else 1 if abs(value) < 1000 else 0


def with_ends(value: float, low: float, high: float, places: int, signed: bool = False) -> str:
    """A value with its interval; a dash where there is none."""
    if math.isnan(value):
        return "-"
    return f"{number(value, places, signed)} [{number(low, places, signed)}, {number(high, places, signed)}]"


def is_sure(low: float, high: float) -> bool:
    """Does the interval of a difference leave 0 out?"""
    return low > 0 or high < 0


def slug(words: str) -> str:
    """`words` as the name of a file."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", words).strip("-")


def write_page(file: Path, package: str, **values: Any) -> None:
    """Fill the only template of `package`'s folder `pages`; HTML is escaped, Markdown is not."""
    import jinja2

    loader = jinja2.PackageLoader(package, "pages")
    (template,) = loader.list_templates()
    rules: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    room = jinja2.Environment(
        loader=loader, autoescape=template.endswith(".html"), undefined=jinja2.StrictUndefined, **rules
    )
    text = room.get_template(template).render(values)
    write_whole(file, lambda part: part.write_text(text, encoding="utf-8"))


def write_png(file: Path, picture: Figure, dpi: int) -> None:
    """Draw a picture; the same numbers give the same bytes."""
    write_whole(file, lambda part: picture.savefig(part, format="png", dpi=dpi))


def score_in_words(score: Mapping[str, Any] | None) -> str:
    """A score with its interval; a dash where nothing was played."""
    return with_ends(score["mean"], score["low"], score["high"], 3) if score else "-"


def provenance(command: str, seed: int) -> dict[str, Any]:
    """Return what every file of results begins with: the command, the version, the seed and the date."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"command": command, "version": tantra_envs.__version__, "seed": seed, "date": today}
