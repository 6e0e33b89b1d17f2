"""The table of strengths, put into README.md and docs/search/README.md from the results beside the pages.

python -m benchmarks.ladder.strengths
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tantra_envs import cli
from tantra_envs.files import write_whole

from ..harness.formatting import score_in_words
from .report import deals_in_words, time_in_words
from .results import Row

RESULTS = Path("docs/search")
PAGES = (Path("README.md"), RESULTS / "README.md")
PICTURED = "karma"  # the ladder whose picture stands above the table
BLOCK = re.compile(r"(<!-- strengths[^>]*-->\n).*?(<!-- end of strengths -->)", re.DOTALL)
COLUMNS = ("game", "players", "player", "ms a decision", "against scripted", "deals", "against learned", "oracle")
RULE = "|---|---:|---|---:|---|---:|---|---|"


def main(words: Sequence[str] | None = None) -> int:
    """Write the block of every page anew."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ladder.strengths",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("pages", nargs="*", type=Path, default=PAGES, help="pages with a place for the table")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the folder of the ladders' pages and results")
    args = parser.parse_args(words)
    with cli.user_errors("bench"):
        for page in args.pages:
            _keep(page, filled(page, args.results))
            print(f"kept: {page}")
    return 0


def _keep(page: Path, text: str) -> None:
    write_whole(page, lambda part: part.write_text(text, encoding="utf-8"))


def filled(page: Path, results: Path) -> str:
    """The text of a page with the table as the results have it; ValueError if it has no place for one."""
    text = page.read_text(encoding="utf-8")
    if not BLOCK.search(text):
        raise ValueError(f"{page} has no '<!-- strengths -->' with an '<!-- end of strengths -->' after it")
    inside = block(results, Path(os.path.relpath(results.resolve(), page.resolve().parent)))
    return BLOCK.sub(lambda found: found[1] + inside + found[2], text)


def block(results: Path, seen: Path) -> str:
    """A picture and the table, with links to where the results are `seen` from the page; nothing without results."""
    found = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(results.glob("*.json"))}
    rows = [_row(ladder, own, seen / f"{name}.md") for name, ladder in found.items() for own in _headlines(ladder)]
    picture = _picture(seen) if PICTURED in found else ""
    return "\n".join([picture, f"| {' | '.join(COLUMNS)} |", RULE, *rows, ""]) if rows else ""


def _picture(seen: Path) -> str:
    dark, light = ((seen / f"{PICTURED}-{theme}.svg").as_posix() for theme in ("dark", "light"))
    source = f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">'
    image = f'<img src="{light}" alt="Karma: score of search against the scripted player">'
    return f"<picture>\n{source}\n{image}\n</picture>\n"


def _headlines(ladder: Row) -> list[Row]:
    """The comparisons with the scripted player."""
    return [own for own in ladder["comparisons"] if own["against"] == "scripted"]


def _row(ladder: Row, own: Row, page: Path) -> str:
    table, score = (own["game"], own["players"]), own["score"]
    oracle = next((rung["score"] for rung in ladder["rungs"] if rung["agent"] == "oracle"), None)
    ceiling = oracle if table == (ladder["table"], ladder["players"]) else None
    cells = [f"[`{own['game']}`]({page.as_posix()})", str(own["players"]), f"`{own['agent']}`"]
    cells += [time_in_words(own["milliseconds"]), score_in_words(score), deals_in_words(score)]
    return f"| {' | '.join([*cells, _against_learned(ladder, own), score_in_words(ceiling)])} |"


def _against_learned(ladder: Row, own: Row) -> str:
    """How the same player fares against learned ones at the table, or else how others do."""
    met = [
        other
        for other in ladder["comparisons"]
        if other["against"].startswith("learned:") and all(other[key] == own[key] for key in ("game", "players"))
    ]
    mine = [other for other in met if other["agent"] == own["agent"]]
    return "; ".join(_named(other, own) for other in mine or met) or "-"


def _named(other: Row, own: Row) -> str:
    """A score, and whose and against whom where that is not the row's player and the game's learned one."""
    usual = own["agent"], f"learned:{own['game'].partition(':')[0]}"
    named = [f"`{other[key]}`" for key, word in zip(("agent", "against"), usual, strict=True) if other[key] != word]
    return ": ".join([*([" against ".join(named)] if named else []), score_in_words(other["score"])])


if __name__ == "__main__":
    sys.exit(main())
