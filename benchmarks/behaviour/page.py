"""The page of a study: Markdown with a picture and a table for each section, written whole every time."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any

import jinja2
from rich.console import Console

from benchmarks.harness import run_folder as results

from .answers import ALL, Answer, answers
from .plots import picture
from .study import Study

CURVES = Path(__file__).resolve().parents[2] / "docs/curves"
DPI = 90


def write(study: Study, command: str) -> None:
    """Count, draw and write; the same records give the same bytes."""
    found = answers(study)
    agents = [player.name for player in study.players]
    sections = []
    for section in study.sections:
        own = [answer for answer in found if answer.figure in section.figures]
        file = study.page.with_name(f"{study.page.stem}-{_slug(section.title)}.png")
        drawn = picture(own, agents)
        results.replace(file, lambda part, drawn=drawn: drawn.savefig(part, format="png", dpi=DPI))
        whole = [row for answer in own if not _is_range(answer) for row in _rows(answer)]
        ranges = [row for answer in own if _is_range(answer) for row in _rows(answer)]
        sections.append({"section": section, "picture": file.name, "whole": whole, "ranges": ranges})
    text = _template().render(
        study=study,
        introduction=study.about.INTRODUCTION.strip(),
        command=command,
        config=study.game.options.changed(study.game.config),
        curve=_curve(study),
        sections=sections,
    )
    results.replace(study.page, lambda part: part.write_text(text, encoding="utf-8"))
    Console().print(f"kept: {study.page} and its {len(sections)} pictures", soft_wrap=True)


def _curve(study: Study) -> str | None:
    """Where the curve of the training run lies, seen from the page."""
    curve = CURVES / f"{study.game.id}.png"
    return Path(os.path.relpath(curve, study.page.resolve().parent)).as_posix() if curve.exists() else None


def _is_range(answer: Answer) -> bool:
    return bool(answer.figure.by) and answer.part != ALL


def _rows(answer: Answer) -> list[dict[str, Any]]:
    """The row of an answer, after one that names the figure where it is the first of its parts."""
    figure, difference = answer.figure, answer.difference
    digits = 3 if figure.bounds == (0.0, 1.0) else 2
    cells = [_cell(sample.value, sample.low, sample.high, digits) for sample in answer.samples]
    cells += [] if difference is None else [_cell(*difference, digits, signed=True)]
    if answer.part in ("", ALL):
        return [{"name": figure.name, "cells": cells}]
    title = f"{figure.name}, by {figure.by}" if figure.by else figure.name
    head = [{"name": title, "cells": [""] * len(cells)}] if answer.part == figure.names[0] else []
    return [*head, {"name": f"- {answer.part}", "cells": cells}]


def _cell(value: float, low: float, high: float, digits: int, signed: bool = False) -> str:
    """A value with its interval; a difference that is sure stands out."""
    if math.isnan(value):
        return "-"
    shown = f"{_number(value, digits, signed)} [{_number(low, digits, signed)}, {_number(high, digits, signed)}]"
    return f"**{shown}**" if signed and (low > 0 or high < 0) else shown


def _number(value: float, digits: int, signed: bool) -> str:
    return f"{round(value, digits) + 0.0:{'+' if signed else ''}.{digits}f}"


def _slug(title: str) -> str:
    return title.lower().replace(" ", "-")


def _template() -> jinja2.Template:
    loader = jinja2.PackageLoader("benchmarks.behaviour", "pages")
    room = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    return jinja2.Environment(loader=loader, autoescape=False, undefined=jinja2.StrictUndefined, **room).get_template(
        "behaviour.md"
    )
