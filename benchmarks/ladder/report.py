"""Report a ladder: a table on the screen, a JSON file, and a page with its pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ..harness.formatting import Row, number, score_in_words, with_ends, write_page, write_results
from ..harness.oracle import ORACLE
from ..harness.scores import usage_table
from .plots import write_pictures
from .results import content
from .study import BASE, Climb, Ladder

NOTES = Path(__file__).with_name("notes")
EVEN = 0.5


def write(ladder: Ladder, climb: Climb, command: str) -> None:
    """Write all files and print the table."""
    results = content(ladder, climb, command)
    write_results(results, ladder.folder / "results.json", ladder.args.results)
    write_ladder_page(ladder.folder / f"{ladder.game.id}.md", results)
    screen = Console()
    screen.print(_table(results))
    if climb.programs:
        screen.print(usage_table(climb.programs))
    screen.print(f"saved in {ladder.folder}: results.json, {ladder.game.id}.md and its pictures", soft_wrap=True)


def write_ladder_page(page: Path, results: Row) -> None:
    """Write the page of a ladder and its pictures from its results."""
    pictures = write_pictures(page, results)
    values: dict[str, Any] = {
        "results": results,
        "config": results["settings"]["config"],
        "notes": _notes(results["settings"]["game"].rpartition("_")[0]),
        "pictures": {theme: file.name for theme, file in pictures.items()},
        "score": score_in_words,
        "time": time_in_words,
        "deals": deals_in_words,
        "ceiling": ceiling_in_words(results),
        "cut_off": _cut_off(results),
    }
    write_page(page, "benchmarks.ladder", **values)


def _notes(game: str) -> str:
    """Return the hand-written notes on a game, or ""."""
    file = NOTES / f"{game}.md"
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""


def deals_in_words(score: Row | None) -> str:
    """Return the number of deals of a score as text, "-" where nothing was played."""
    return f"{score['n']:,}" if score else "-"


def time_in_words(milliseconds: float) -> str:
    """Return milliseconds with about two significant digits."""
    return number(milliseconds, 0 if milliseconds >= 10 else 1 if milliseconds >= 1 else 2)


def ceiling_in_words(results: Row) -> str:
    """Return sentences that compare the open-card search with the highest rung; "" if it was not played."""
    ceiling = results["ceiling"]
    if ceiling is None:
        return ""
    scores = {rung["agent"]: rung["score"] for rung in results["rungs"]}
    top, oracle = scores[ceiling["above"]]["mean"] - EVEN, scores[ORACLE]["mean"] - EVEN
    left = with_ends(ceiling["mean"], ceiling["low"], ceiling["high"], 3, signed=True)
    words = "The open-card search (`oracle`) is the same search on the true table. Its score minus that of "
    words += f"`{ceiling['above']}` is {left}, over the deals that both played."
    return f"{words} `{ceiling['above']}` reaches {100 * top / oracle:.0f} % of its gain." if oracle > 0 else words


def _cut_off(results: Row) -> list[tuple[str, float]]:
    """Return the pairs of agents with truncated games, and the share of these games."""
    rungs = [(rung["agent"], against, rung[against]) for rung in results["rungs"] for against in ("score", "below")]
    met = [(agent, BASE if against == "score" else score["against"], score) for agent, against, score in rungs if score]
    met += [(row["agent"], row["against"], row["score"]) for row in results["comparisons"]]
    shares = {f"`{agent}` against `{other}`": score["truncated"] for agent, other, score in met}
    return [(words, share) for words, share in shares.items() if share > 0]


def _table(results: Row) -> Table:
    heads = "", "ms per decision", "against scripted", "deals", "against the rung below", "deals", "exploited by"
    exploits = any(rung["exploited"] for rung in results["rungs"])
    table = Table(*(heads if exploits else heads[:-1]))
    for rung in results["rungs"]:
        score, below = rung["score"], rung["below"]
        cells = [time_in_words(rung["milliseconds"]), score_in_words(score), deals_in_words(score)]
        cells += [score_in_words(below), deals_in_words(below)]
        table.add_row(rung["agent"], *cells, *([score_in_words(rung["exploited"])] if exploits else []))
    return table
