"""The page of a study: Markdown with a picture and a table for each section, written whole every time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from tantra_envs.workers import Run

from ..harness.formatting import filled, is_sure, number, slug, with_ends, write_page, write_png
from .answers import ALL, Answer, answers, pairs
from .games import load
from .observer import sections
from .plots import picture
from .quantities import Section
from .study import Study, play

NOTES = Path(__file__).with_name("notes")
DPI = 90


def write(study: Study, run: Run, command: str) -> None:
    """Play, count, draw and write; the same records give the same bytes."""
    counted = play(study, run)
    found = answers(study, counted)
    parts = [_section(study, section, found) for section in sections(study.game)]
    write_page(
        study.page,
        "benchmarks.behaviour",
        study=study,
        introduction=load(study.game).INTRODUCTION.strip(),
        command=command,
        config=study.game.options.changed(study.game.config),
        deals={name: table["deal"].n_unique() for name, table in counted.items()},
        pairs=pairs(len(study.players)),
        notes=_notes(study, found),
        sections=parts,
    )
    Console().print(f"kept: {study.page} and its {len(parts)} pictures", soft_wrap=True)


def _section(study: Study, section: Section, found: Sequence[Answer]) -> dict[str, Any]:
    """The picture of a section is drawn; what the page says of it."""
    own = [answer for answer in found if answer.quantity in section.quantities]
    file = study.page.with_name(f"{study.page.stem}-{slug(section.title).lower()}.png")
    write_png(file, picture(own, [player.name for player in study.players]), DPI)
    whole, ranges = (
        [row for answer in own if _is_range(answer) == is_range for row in _rows(answer)] for is_range in (False, True)
    )
    return {"section": section, "picture": file.name, "whole": whole, "ranges": ranges}


def _notes(study: Study, found: Sequence[Answer]) -> str:
    """What people read from the page, its figures filled in; nothing unless those are there of whom the notes speak."""
    file = NOTES / f"{study.game.id}.md"
    kinds = [player.name.partition(":")[0] for player in study.players]
    if not file.exists() or not {"scripted", "learned", "search"} <= set(kinds):
        return ""

    def of(kind: str, quantity: str, part: str = "") -> str:
        """The figure of a player; of ranges taken together, unless a `part` is named."""
        own = [a for a in found if a.quantity.name == quantity and a.part in (part or ALL, part)]
        if not own:
            raise ValueError(f"{file}: {study.game.id} has no quantity {quantity!r}{f' of {part!r}' if part else ''}")
        return number(own[0].samples[kinds.index(kind)].value, _digits(own[0]))

    return filled(file.read_text(encoding="utf-8"), of=of).strip()


def _is_range(answer: Answer) -> bool:
    return bool(answer.quantity.by) and answer.part != ALL


def _rows(answer: Answer) -> list[dict[str, Any]]:
    """The row of an answer, after one that names the quantity where it is the first of its parts."""
    quantity, digits = answer.quantity, _digits(answer)
    cells = [_cell(sample.value, sample.low, sample.high, digits) for sample in answer.samples]
    cells += [_cell(*difference, digits, signed=True) for difference in answer.differences]
    if answer.part in ("", ALL):
        return [{"name": quantity.name, "cells": cells}]
    title = f"{quantity.name}, by {quantity.by}" if quantity.by else quantity.name
    head = [{"name": title, "cells": [""] * len(cells)}] if answer.part == quantity.names[0] else []
    return [*head, {"name": f"- {answer.part}", "cells": cells}]


def _digits(answer: Answer) -> int:
    return 3 if answer.quantity.bounds == (0.0, 1.0) else 2


def _cell(value: float, low: float, high: float, digits: int, signed: bool = False) -> str:
    """A value with its interval; a difference that is sure stands out."""
    shown = with_ends(value, low, high, digits, signed)
    return f"**{shown}**" if signed and is_sure(low, high) else shown
