"""The pages that are tested, and the blocks of code on them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tantra_envs.games import SHIPPED

ROOT = Path(__file__).resolve().parents[2]
GAMES = [ROOT / f"tantra_envs/games/{name}/README.md" for name in SHIPPED]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), *GAMES]
FENCE = re.compile(r"^```(?P<kind>\S*)[^\n]*\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)
SHORTENED = re.compile(r"(training|benchmarks|tantra_envs) [a-z-]+ .*--")
INDENTED = re.compile(r"(?:^    \S[^\n]*\n)+", re.MULTILINE)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, *kinds: str) -> list[str]:
    """The fenced blocks of these kinds."""
    return [block["code"] for block in FENCE.finditer(page.read_text(encoding="utf-8")) if block["kind"] in kinds]


def commands(page: Path) -> Iterator[str]:
    """Every `python -m ..`, `make ..` and `pip install ..` in a block or between backticks; comments are left out.

    Between backticks `training ..` and `benchmarks ..` with an option are commands too.
    """
    text = page.read_text(encoding="utf-8")
    without = FENCE.sub("", text)
    indented = [line for block in INDENTED.findall(without) for line in block.splitlines()]
    lines = [line for block in blocks(page, "", "sh", "bash", "console") for line in _joined(block)] + indented
    inline = [" ".join(words.split()) for words in re.findall(r"`([^`]+)`", without)]
    inline = [f"python -m {words}" if SHORTENED.match(words) else words for words in inline]
    for line in [*lines, *inline]:
        command = line.partition(" #")[0].strip()
        if re.match(r"(python -m \w|make \w|pip install )", command):
            yield command


def _joined(block: str) -> list[str]:
    """Its lines, those that go on after a backslash made one."""
    return re.sub(r"\\\n\s*", "", block).splitlines()
