"""Figures that pages repeat are those of results and configs."""

from __future__ import annotations

import json

from docs._site.results import RESULTS

from .pages import FENCE, ROOT


def text_of(page) -> str:
    return " ".join(FENCE.sub("", page.read_text(encoding="utf-8")).split())


def test_readme_has_the_range_of_the_speeds():
    games = json.loads((ROOT / RESULTS / "speed.json").read_text(encoding="utf-8"))["games"].values()
    rates = [game["engines"]["BatchEnv(1024)"]["rate"] / 1e6 for game in games]
    assert f"{min(rates):.1f} to {max(rates):.0f} million moves a second" in text_of(ROOT / "README.md")
