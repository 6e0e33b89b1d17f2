"""Figures in sentences: `<!-- figure: trained-agents view=rows table=karma_players=2 estimate -->0.68<!-- /figure -->`.

The words are a file in docs/results, columns of a score in it with their values (_ for blanks), and `estimate`, or
`least estimate` for the lowest of several. `weights NAME minutes`, `decisions` and `kilobytes` are about a trained
agent. `python -m docs._site.page_parts` fills in all marks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tantra_envs.opponents.learned import file_of
from tantra_envs.opponents.model_files import read_card
from tantra_envs.programs.results import SCORE, estimate

from .results import ROOT, lines

MARK = re.compile(r"(<!-- figure: ([^>]+?) -->)(.*?)(<!-- /figure -->)", re.DOTALL)
MINUTES = re.compile(r"# .*?(\d[\d.]*) CPU minutes")


def with_marked(text: str, parts: Mapping[str, str], where: str) -> str:
    """Return `text` with each part between `<!-- NAME -->` and `<!-- /NAME -->`; ValueError if one is missing."""
    for name, part in parts.items():
        first, last = f"<!-- {name} -->", f"<!-- /{name} -->"
        pieces = re.split(f"{re.escape(first)}.*?{re.escape(last)}", text, flags=re.DOTALL)
        if len(pieces) != 2:
            raise ValueError(f"{where} has {len(pieces) - 1} parts marked {first} .. {last}; wanted: 1")
        text = f"{first}\n{part}{last}".join(pieces)
    return text


def with_figures(text: str) -> str:
    """Return a page with the figures of its marks as the results have them; ValueError if a mark names none."""
    return MARK.sub(lambda mark: f"{mark[1]}{figure(mark[2])}{mark[4]}", text)


def figure(words: str) -> str:
    """Return the text of one figure; raise ValueError if no row has these values, or several have them."""
    source, *names = words.split()
    if source == "weights":
        return _of_weights(*names)
    values = dict(name.replace("_", " ").split("=", 1) for name in names if "=" in name)
    rows = lines(source, measure=SCORE, **values).sort("value")
    if rows.is_empty() or (len(rows) > 1 and "least" not in names):
        raise ValueError(f"figure: {words}: {len(rows)} lines of docs/results/{source}.csv; wanted: 1, or `least`")
    return str(estimate(rows.row(0, named=True)))


def _of_weights(name: str, measure: str) -> str:
    if measure == "decisions":
        return f"{read_card(file_of(name)).decisions / 1e6:.2g} million"
    if measure == "kilobytes":
        return f"{file_of(name).stat().st_size / 1000:.0f}"
    text = (ROOT / f"configs/training/{name}.toml").read_text(encoding="utf-8")
    if measure != "minutes" or not (found := MINUTES.match(text)):
        raise ValueError(
            f"figure: weights {name} {measure}: allowed: decisions, kilobytes, and minutes if the config has them"
        )
    return found[1]
