"""Figures that pages repeat are those of results and configs."""

from __future__ import annotations

import json
import re

from docs._site.results import RESULTS

from .pages import FENCE, ROOT


def text_of(page) -> str:
    return " ".join(FENCE.sub("", page.read_text(encoding="utf-8")).split())


def minutes_of_configs() -> dict[str, float]:
    """The CPU minutes in the first line of the configs that name them."""
    found = {}
    for file in (ROOT / "configs/training").glob("*.toml"):
        if stated := re.match(r"# .* (\d[\d.]*) CPU minutes", file.read_text(encoding="utf-8")):
            found[file.stem] = float(stated[1])
    return found


def test_the_cpu_minutes_of_a_config_are_those_of_the_table_of_trained_agents():
    stated = minutes_of_configs()
    table = (ROOT / "docs/trained-agents.md").read_text(encoding="utf-8").partition("| weights | trained for")[2]
    rows = [[cell.strip() for cell in line.split("|")] for line in table.split("\n\n")[0].splitlines()]
    made = {row[1].strip("`"): float(row[4]) for row in rows if row[1:] and row[1].startswith("`")}
    both = made.keys() & stated.keys()
    assert len(both) > 5
    assert {name: made[name] for name in both} == {name: stated[name] for name in both}


def test_readme_has_the_range_of_the_speeds():
    games = json.loads((ROOT / RESULTS / "speed.json").read_text(encoding="utf-8"))["games"].values()
    rates = [game["engines"]["BatchEnv(1024)"]["rate"] / 1e6 for game in games]
    assert f"{min(rates):.1f} to {max(rates):.0f} million moves a second" in text_of(ROOT / "README.md")
