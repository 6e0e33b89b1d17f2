"""Dead links of the built site: targets that are not there, and anchors that no element has."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

# Links within the site: targets without a scheme.
LINK = re.compile(r"<(?:a|link|script|img|iframe|source)\b[^>]*?\s(?:src|href|srcset)=\"(?!\w+:|//)([^\"]+)\"")
ANCHOR = re.compile(r"\s(?:id|name)=\"([^\"]+)\"")


def dead_links(site: Path) -> list[str]:
    """Return every link of the site in `site` that leads nowhere, as `page: target`."""
    anchors = functools.cache(_anchors)
    return sorted(
        {
            f"{page.relative_to(site).as_posix()}: {target}"
            for page in site.rglob("*.html")
            for target in LINK.findall(page.read_text(encoding="utf-8"))
            if not _leads_somewhere(page, target, anchors)
        }
    )


def _leads_somewhere(page: Path, target: str, anchors: Callable[[Path], frozenset[str]]) -> bool:
    path, _, anchor = unquote(target).partition("#")
    found = page.parent / path.partition("?")[0] if path else page
    if not found.exists():
        return False
    return not anchor or found.suffix != ".html" or anchor in anchors(found)


def _anchors(page: Path) -> frozenset[str]:
    return frozenset(ANCHOR.findall(page.read_text(encoding="utf-8")))
