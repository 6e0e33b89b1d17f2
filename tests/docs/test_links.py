"""Every link on the pages leads somewhere, to the very heading it names; others are well formed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .pages import FENCE, PAGES, name_of

LINK = re.compile(r"!?\[[^\[\]]*\]\(([^()\s]+)\)")  # and pictures
HEADING = re.compile(r"^#+ +(.*?)\s*$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors of its headings as forges make them."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


def leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    found = (page.parent / path).resolve() if path else page
    return found.exists() and (not anchor or (found.suffix == ".md" and anchor in anchors(found)))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page):
    targets = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    outside = [target for target in targets if re.match(r"\w+:", target)]
    assert all(re.match(r"https://[\w-]+\.\w|mailto:", target) for target in outside), outside
    assert not [target for target in targets if target not in outside and not leads_somewhere(page, target)]
