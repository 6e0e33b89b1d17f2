"""Every link on the pages leads somewhere, to the very heading it names; others are well formed."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .pages import FENCE, PAGES, is_external, links, name_of

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
    targets = links(page.read_text(encoding="utf-8"))
    lost = [target for target in targets if not is_external(target) and not leads_somewhere(page, target)]
    assert not lost
    outside = [urlsplit(target) for target in targets if is_external(target) and not target.startswith("mailto:")]
    assert all(url.scheme == "https" and "." in url.netloc for url in outside), outside
