"""Figures in sentences, from results: `<!-- figure: trained-agents rows game=karma score -->0.680<!-- /figure -->`.

The words are a file in docs/results without its ending, a list in it, fields of the row with their values (_ for
blanks), and what is shown: a number of the row, `estimate` for a score with its interval, or `least estimate` for that
of the lowest row.
`weights NAME minutes`, `decisions` and `kilobytes` are about a trained agent: its config, and its weights with their
card.
`python -m docs._site.pages` fills in all marks.
"""

from __future__ import annotations

import re
from typing import Any

from tantra_envs.matches.intervals import Estimate
from tantra_envs.opponents.learned import file_of
from tantra_envs.opponents.model_files import read_card

from .results import ROOT, content

MARK = re.compile(r"(<!-- figure: ([^>]+?) -->)(.*?)(<!-- /figure -->)", re.DOTALL)
PART = re.compile(r"<!-- ([a-z-]+) -->.*?<!-- /\1 -->", re.DOTALL)
CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"(?<![\w.])[+-]?\d+\.\d{3}(?!\d)")
MINUTES = re.compile(r"# .*?(\d[\d.]*) CPU minutes")


def with_figures(text: str) -> str:
    """Return a page with the figures of its marks as the results have them; ValueError if a mark names none."""
    return MARK.sub(lambda mark: f"{mark[1]}{figure(mark[2])}{mark[4]}", text)


def typed(text: str) -> list[str]:
    """Return the numbers with three decimals that a page has outside marks, generated parts and code."""
    for pattern in (MARK, PART, CODE):
        text = pattern.sub("", text)
    return TYPED.findall(text)


def figure(words: str) -> str:
    """Return the text of one figure.

    Raises:
        ValueError: No row has these values, or several have them.
    """
    source, *names = words.split()
    if source == "weights":
        return _of_weights(*names)
    part, *names, measure = names
    fields = dict(name.split("=", 1) for name in names if "=" in name)
    rows = [row for row in content(source)[part] if all(_word(row.get(name)) == fields[name] for name in fields)]
    if not rows or (len(rows) > 1 and "least" not in names):
        raise ValueError(f"figure: {words}: {len(rows)} rows of docs/results/{source}.json; wanted: 1, or `least`")
    row = min(rows, key=_score)
    return (
        str(_estimate(row)) if measure == "estimate" else f"{_score(row) if measure == 'score' else row[measure]:.3f}"
    )


def _word(value: Any) -> str:
    """Return the value of a field as a mark writes it, with _ for blanks."""
    return str(value).replace(" ", "_")


def _estimate(row: dict[str, Any]) -> Estimate:
    score = row["score"]
    return Estimate(**score) if isinstance(score, dict) else Estimate(score, row["low"], row["high"], row["deals"])


def _score(row: dict[str, Any]) -> float:
    return _estimate(row).mean


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
