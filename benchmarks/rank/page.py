"""Fill in the pages of the benchmark from docs/results/rank: their tables and their picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from ..harness.formatting import Row, number, score_in_words
from ..harness.themes import finish, means_and_ends, write_both
from . import partners, suite
from .completeness import missing
from .results import (
    FOLDER,
    Rows,
    by_label,
    contestant,
    exploited,
    in_points,
    rated,
    references,
    suite_scores,
    truncated,
)
from .settings import settings
from .statistics import NO_BOUNDS, over_seeds

PICTURE = FOLDER.parents[1] / "pictures" / "rank"
DIFFICULTY = FOLDER.parent / "difficulty.json"


def parts(page: str) -> dict[str, str]:
    """Return the generated parts of a page of the benchmark by the names of their marks; none of another page."""
    makers: dict[str, Callable[[Rows], str]] = PARTS.get(page, {})
    rows = by_label(references().values()) if makers else {}
    return {name: f"{make(rows)}\n" for name, make in makers.items()}


def write_picture() -> None:
    """Write the picture of the ratings."""
    write_both(PICTURE, PICTURE.name, lambda: standings(rated(by_label(references().values()))), "rank")


def ranking(rows: Rows) -> str:
    """Return the table of all agents by their rating."""
    heads = ["agent", "rating", "held-out", "public", "its exploiter", "with partners", "seeds", "decisions"]
    heads += ["CPU minutes", "ms", "complete"]
    lines = [f"| {' | '.join(heads)} |", "|---|---|---|---|---|---|---:|---:|---:|---:|---|"]
    for label, rating in rated(rows).items():
        cells = _cells(rows[label], rows) if label in rows else ["-"] * 8 + ["opponent only"]
        lines.append(f"| {_code(label)} | {in_points(rating)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def lacking(rows: Rows) -> str:
    """Return a list of what the incomplete rows lack."""
    lines = [f"- {_code(label)}: {'; '.join(words)}" for label, own in rows.items() if (words := missing(own))]
    return "\n".join(lines) or "Every row is complete."


def tables(rows: Rows) -> str:
    """Return the scores against both panels at every table, and that of the exploiter."""
    lines = [f"| agent | {' | '.join(f'`{table}`' for table in suite.TABLES)} |", "|---|" + "---|" * len(suite.TABLES)]
    for label in rated(rows):
        if label in rows:
            cells = [_at_table(table, _of_table(rows[label], table)) for table in suite.TABLES]
            lines.append(f"| {_code(label)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def pairs(rows: Rows) -> str:
    """Return the score of every label against every agent of the panels, with intervals: means over the seeds."""
    lines = [f"| agent | table | {' | '.join(_code(name) for name in suite.PANEL)} | truncated |"]
    lines.append("|---|---|" + "---|" * len(suite.PANEL) + "---:|")
    for label in rated(rows):
        for table in suite.TABLES:
            if own := _of_table(rows.get(label, []), table):
                cells = [_pair([result["pairs"][name] for result in own]) for name in suite.PANEL]
                lines.append(f"| {_code(label)} | `{table}` | {' | '.join(cells)} | {truncated(own)} |")
    return "\n".join(lines)


def standings(places: Mapping[str, Row], own: str = "", where: str = "") -> Figure:
    """Draw the rating of every agent with its interval: held-out agents hollow, `own` in another colour."""
    figure = Figure(figsize=(7, 1.0 + 0.28 * max(len(places), 1)), layout="constrained")
    axes = figure.subplots()
    for i, (name, rating) in enumerate(places.items()):
        color = "C1" if name == own else "C0"
        inside = "none" if name in suite.HELD_OUT else color
        means, ends = means_and_ends([rating])
        axes.errorbar(means, [i], xerr=ends, fmt="o", capsize=3, color=color, markerfacecolor=inside)
    axes.set_yticks(range(len(places)), list(places), fontsize=8)
    axes.invert_yaxis()
    axes.set(xlabel=f"rating{where}, suite {suite.VERSION}")
    finish(axes, "x")
    return figure


def _cells(group: Sequence[Row], rows: Rows) -> list[str]:
    """Return the cells of a row of the ranking behind its rating."""
    facts = [row["training"] for row in group]
    seeds = {fact["seed"] for fact in facts if "seed" in fact}
    every = [result for row in group for result in row["tables"].values()]
    return [
        _suite(group, "held_out"),
        _suite(group, "public"),
        _exploited(group),
        _with_partners(group, rows),
        str(len(seeds) or "-"),
        _declared(facts, "decisions", 0),
        _declared(facts, "cpu_minutes", 1),
        f"{np.mean([result['milliseconds'] for result in every]):.2g}",
        "no" if missing(group) else "yes",
    ]


def _suite(group: Sequence[Row], panel: str) -> str:
    """Return the score of the suite against a panel, the mean over the seeds."""
    scores = [suite_scores(tables) for tables in _runs(group)]
    whole = [score[panel] for score in scores if score]
    return score_in_words(over_seeds(whole)) if whole else "-"


def _runs(group: Sequence[Row]) -> Iterable[dict[str, Row]]:
    """Return the tables of every training seed: an algorithm that learns games one by one has a file for each."""
    runs: dict[str, dict[str, Row]] = {}
    for row in group:
        runs.setdefault(contestant(row), {}).update(row["tables"])
    return runs.values()


def _exploited(group: Sequence[Row]) -> str:
    """Return the mean score of the exploiters over the games, if there is one at every table."""
    by_table = {table: _exploiters(table, _of_table(group, table)) for table in suite.TABLES}
    if not all(by_table.values()):
        return "-"
    means: dict[str, list[float]] = {}
    for table, found in by_table.items():
        means.setdefault(suite.game_of(table), []).append(over_seeds(found)["mean"])
    return number(float(np.mean([np.mean(scores) for scores in means.values()])), 3)


def _with_partners(group: Sequence[Row], rows: Rows) -> str:
    """Return the share of the best known score with held-out partners."""
    for table in filter(suite.has_partners, suite.TABLES):
        known = [result["partners"] for own in rows.values() for result in _of_table(own, table)]
        found = [partners.shares(table, result["partners"], known) for result in _of_table(group, table)]
        return score_in_words(over_seeds(found, NO_BOUNDS)) if any(found) else "-"
    return "-"


def _of_table(group: Sequence[Row], table: str) -> list[Row]:
    return [row["tables"][table] for row in group if table in row["tables"]]


def _at_table(table: str, results: Sequence[Row]) -> str:
    panels = ([result[name] for result in results] for name in ("held_out", "public"))
    scores = (*panels, _exploiters(table, results))
    return " / ".join(number(over_seeds(own)["mean"], 3) if own else "-" for own in scores)


def _exploiters(table: str, results: Sequence[Row]) -> list[Row]:
    """Return the score of the exploiter of the first training seed that has one."""
    return [score for result in results if (score := exploited(table, result))][:1]


def _pair(scores: Sequence[Row | None]) -> str:
    played = [score for score in scores if score]
    return score_in_words(over_seeds(played)) if played else "itself"


def _declared(facts: Sequence[Row], name: str, places: int) -> str:
    """Return the mean of what the trainings declare under a name; "-" if one of them declares nothing."""
    if any(fact[name] is None for fact in facts):
        return "-"
    return f"{np.mean([fact[name] for fact in facts]):,.{places}f}"


def _code(label: str) -> str:
    return f"`{label}`" if label in suite.PANEL else label


PARTS: dict[str, dict[str, Callable[[Rows], str]]] = {
    "benchmark.md": {"ranking": ranking, "missing": lacking, "tables": tables},
    "benchmark-pairs.md": {"pairs": pairs},
    "easy-and-hard.md": {"settings": lambda _: settings(json.loads(DIFFICULTY.read_text(encoding="utf-8"))["rows"])},
}
