"""Tables of options on the pages list the options of the code."""

from __future__ import annotations

import dataclasses
import re

from tantra_envs.opponents.search import Budget

from .pages import ROOT


def test_the_search_page_lists_all_options_of_search():
    section = (ROOT / "docs/search/README.md").read_text(encoding="utf-8").split("## Options\n")[1].split("\n## ")[0]
    options = [field.name for field in dataclasses.fields(Budget)]
    assert sorted(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == sorted([*options, "base"])
