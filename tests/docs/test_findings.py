"""The figures of the findings agree with the results that they name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.harness.pages import with_ends
from tantra_envs.games import SHIPPED

from .pages import ROOT

LEVELS = "## At three levels of skill"
RESULTS = ROOT / "docs/results"


def figures(game: str) -> list[str]:
    """The figures with intervals of a game's findings at several levels of skill."""
    text = (ROOT / f"docs/findings/{game}.md").read_text(encoding="utf-8").replace("\n", " ")
    _, _, section = text.partition(LEVELS)
    return re.findall(r"[+-]?\d+\.\d+ \[[^\]]+\]", section)


def intervals(content: Any) -> Iterator[tuple[float, float, float]]:
    """All values with an interval anywhere in results."""
    if isinstance(content, list):
        for part in content:
            yield from intervals(part)
    elif isinstance(content, dict):
        for names in (("value", "low", "high"), ("mean", "low", "high"), ("change", "change_low", "change_high")):
            if all(isinstance(content.get(name), (int, float)) for name in names):
                yield content[names[0]], content[names[1]], content[names[2]]
        for part in content.values():
            yield from intervals(part)


def known(game: str) -> set[str]:
    """All figures of the game's results, as findings write them."""
    found = set()
    for file in RESULTS.glob(f"*/{game}*.json"):
        content = json.loads(file.read_text(encoding="utf-8"))
        if "columns" in content:
            content = [dict(zip(content["columns"], row, strict=True)) for row in content["figures"]]
        for value in intervals(content):
            found |= {with_ends(*value, places, signed) for places in (1, 2, 3) for signed in (False, True)}
    return found


@pytest.mark.parametrize("game", SHIPPED)
def test_every_figure_stands_in_a_file_of_results(game):
    stated, there = figures(game), known(game)
    assert stated
    assert not [figure for figure in stated if figure not in there]
