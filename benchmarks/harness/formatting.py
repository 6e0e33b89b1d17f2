"""Format numbers, names, pages and pictures for all reports."""

from __future__ import annotations

import datetime
import json
import math
import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tantra_envs
from tantra_envs.files import write_content, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Row = dict[str, Any]  # a row of a table of results
DIGITS = 6  # significant digits of numbers in large files of results
WIDTH, LINES = 28, 3  # of a name on a picture
# For colour-blind readers (after Okabe and Ito, https://jfly.uni-koeln.de/color); they also differ in lightness.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#555555")


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


def is_sure(low: float, high: float) -> bool:
    """Return whether the interval of a difference excludes 0."""
    return low > 0 or high < 0


def is_clear(low: float, high: float, places: int) -> bool:
    """Return whether the interval of a difference excludes 0 with the decimals that are shown."""
    return is_sure(round(low, places), round(high, places))


def duration(minutes: float) -> str:
    """Return a time in words."""
    if minutes < 1:
        return "less than a minute"
    if minutes < 1.5:
        return "about a minute"
    return f"about {minutes:.0f} minutes" if minutes < 120 else f"about {minutes / 60:.1f} hours"


def slug(words: str) -> str:
    """Return `words` as the name of a file."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", words).strip("-")


def write_page(file: Path, package: str, **values: Any) -> None:
    """Fill in the only template in the folder `pages` of `package`. HTML is escaped, Markdown is not."""
    import jinja2

    loader = jinja2.PackageLoader(package, "pages")
    (template,) = loader.list_templates()
    rules: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    room = jinja2.Environment(
        loader=loader, autoescape=template.endswith(".html"), undefined=jinja2.StrictUndefined, **rules
    )
    write_content(file, room.get_template(template).render(values))


def write_png(file: Path, picture: Figure, dpi: int) -> None:
    """Write a picture as PNG. Equal numbers give equal bytes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # names of agents may have any characters
        write_whole(file, lambda part: picture.savefig(part, format="png", dpi=dpi))


def on_picture(name: str) -> str:
    """Return a name for a picture: up to LINES lines of WIDTH characters, without the middle of longer names."""
    words = " ".join(name.split())
    if len(words) > (most := WIDTH * LINES):
        words = f"{words[: most // 2]}…{words[1 - most // 2 :]}"
    lines = [words[first : first + WIDTH] for first in range(0, len(words), WIDTH)]
    return "\n".join(lines).replace("$", r"\$")  # two dollars would begin a formula


def score_in_words(score: Mapping[str, Any] | None) -> str:
    """Return a score with its interval as text, "-" where nothing was played."""
    return with_ends(score["mean"], score["low"], score["high"], 3) if score else "-"


def write_results(results: Mapping[str, Any], *files: Path | None) -> None:
    """Write results as JSON into each file, a line for each entry of a list; skip files that are None."""
    lines = [f"{json.dumps(name)}: {_lines(value)}" for name, value in results.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    for file in filter(None, files):
        write_content(file, text)


def rounded(value: Any) -> Any:
    """Return a value with `DIGITS` significant digits in all its floats."""
    if isinstance(value, Mapping):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(part) for part in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _lines(value: Any) -> str:
    """Return a value as JSON; the parts of a list that are lists or objects have a line each."""
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
        return "[\n" + ",\n".join(map(_compact, value)) + "\n]"
    return _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def provenance(command: str, seed: int) -> dict[str, Any]:
    """Return the first fields of every file of results: the command, the version, the seed and the date."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"command": command, "version": tantra_envs.__version__, "seed": seed, "date": today}
