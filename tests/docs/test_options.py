"""Tables of options on the pages list the options of the code."""

from __future__ import annotations

import dataclasses
import re

import tantra_envs
from tantra_envs.games import SHIPPED
from tantra_envs.opponents.ismcts import TreeBudget
from tantra_envs.opponents.search import Budget

from .pages import ROOT


def listed(heading: str) -> list[str]:
    section = (ROOT / "docs/search/README.md").read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]
    return sorted(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def test_the_search_page_lists_all_options_of_both_searches():
    assert listed("Options") == sorted([*(field.name for field in dataclasses.fields(Budget)), "base"])
    assert listed("Tree search") == sorted(field.name for field in dataclasses.fields(TreeBudget))


def test_the_search_page_lists_the_defaults_of_every_game():
    page = (ROOT / "docs/search/README.md").read_text(encoding="utf-8")
    for name in SHIPPED:
        game = tantra_envs.game(name)
        usual = Budget(**game.scripted.SEARCH)
        figures = (usual.samples, usual.candidates, f"{usual.margin:g}", usual.horizon, usual.belief)
        assert f"| {game.title} | {' | '.join(map(str, figures))} |" in page
