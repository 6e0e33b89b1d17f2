"""Show all ladders together: a table of strengths, and a picture of how much search gains in each game."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.harness.pages import finish, means_and_ends, number, score_in_words, write_both
from benchmarks.views.ladder import deals_in_words, time_in_words
from tantra_envs.programs.files import Json

PICTURE = "<!-- the picture of all ladders -->"  # placeholder on a page
COLUMNS = ("game", "players", "agent", "ms per decision", "against scripted", "deals", "gain per doubling", "oracle")
RULE = "|---|---:|---|---:|---|---:|---|---|"
SIZE = (9.5, 5.2)  # inches
SEARCH_NAME = re.compile(r"search:(\d+)")
BELOW = ("uniform", "greedy")  # shown left of the searches in the picture
ABOVE = "oracle"  # shown right of them
STYLES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))  # a theme may have fewer colours than games


def overview(ladders: Mapping[str, Json]) -> str:
    """Return the table in Markdown, for a page in docs."""
    rows = [_row(name, ladder, comparison) for name, ladder in ladders.items() for comparison in _headlines(ladder)]
    return "\n".join([f"| {' | '.join(COLUMNS)} |", RULE, *rows, ""])


def overview_picture() -> str:
    """Return the picture in Markdown, for the page on searches."""
    return "".join(
        f"![Scores against the scripted agent by samples of search](search-{theme}.svg){{.only-{theme}}}\n"
        for theme in ("light", "dark")
    )


def write_overview_picture(page: Path, ladders: Mapping[str, Json]) -> None:
    """Write the picture of all ladders next to a page, for light and dark."""
    page.parent.mkdir(parents=True, exist_ok=True)
    write_both(page, page.stem, lambda: picture(ladders), "overview")


def scores(ladder: Json) -> dict[str, Json]:
    """Return each agent's score against the scripted agent at the ladder's own table.

    If an agent has two results, the one with more deals is returned.
    """
    rows = [row for row in ladder["rungs"] if row["score"]]
    rows += [row for row in _headlines(ladder) if (row["game"], row["players"]) == (ladder["table"], ladder["players"])]
    best: dict[str, Json] = {}
    for row in rows:
        if row["agent"] not in best or best[row["agent"]]["n"] < row["score"]["n"]:
            best[row["agent"]] = row["score"]
    return best


def searches(ladder: Json) -> dict[int, Json]:
    """Return the scores of searches by their samples, in ascending order."""
    by_samples = {
        int(name[1]): score for agent, score in scores(ladder).items() if (name := SEARCH_NAME.fullmatch(agent))
    }
    return dict(sorted(by_samples.items()))


def rise(ladder: Json) -> float | None:
    """Return the gain in score for each doubling of the samples; None with fewer than two searches."""
    by_samples = searches(ladder)
    if len(by_samples) < 2:
        return None
    few, many = min(by_samples), max(by_samples)
    return float((by_samples[many]["mean"] - by_samples[few]["mean"]) / math.log2(many / few))


def picture(ladders: Mapping[str, Json]) -> Figure:
    """Draw scores against the scripted agent: search by its samples, the open-card search on the right."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    samples = sorted({count for ladder in ladders.values() for count in searches(ladder)})
    at: dict[Any, float] = {count: math.log2(count) for count in samples}
    first, last = min(at.values()), max(at.values())
    at |= {name: first - 2.0 + i * 0.8 for i, name in enumerate(BELOW)} | {ABOVE: last + 1.2}
    for i, (ladder, (marker, line)) in enumerate(zip(ladders.values(), itertools.cycle(STYLES), strict=False)):
        _draw(axes, ladder, at, (i - (len(ladders) - 1) / 2) * 0.06, {"color": f"C{i}", "marker": marker}, line)
    axes.axhline(0.5, color="#888888", linewidth=0.8)
    axes.set_xticks(list(at.values()), list(map(str, at)))
    axes.set(xlabel="samples of search, log2", ylabel="score against the scripted agent", ylim=(-0.02, 1.04))
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    finish(axes)
    return figure


def _draw(axes: Axes, ladder: Json, at: dict[Any, float], aside: float, style: dict[str, Any], line: str) -> None:
    """Draw one game: a line through its searches, and dots for the other agents."""
    joined = {at[count] + aside: score for count, score in searches(ladder).items()}
    apart = {at[name] + aside: score for name, score in scores(ladder).items() if name in (*BELOW, ABOVE)}
    label = f"{ladder['title']} for {ladder['players']}"
    for series, more in ((joined, {"linestyle": line, "label": label}), (apart, {"linestyle": "", "alpha": 0.7})):
        means, ends = means_and_ends(list(series.values()))
        axes.errorbar(list(series), means, ends, capsize=3, markersize=5, **style, **more)


def _headlines(ladder: Json) -> list[Json]:
    """Return the comparisons with the scripted agent."""
    return [row for row in ladder["comparisons"] if row["against"] == "scripted"]


def _row(name: str, ladder: Json, comparison: Json) -> str:
    at_table = (comparison["game"], comparison["players"]) == (ladder["table"], ladder["players"])
    risen, open_cards = (rise(ladder), scores(ladder).get(ABOVE)) if at_table else (None, None)
    cells = [
        f"[`{comparison['game']}`](results/ladder/{name}.csv)",
        str(comparison["players"]),
        f"`{comparison['agent']}`",
    ]
    cells += [
        time_in_words(comparison["milliseconds"]),
        score_in_words(comparison["score"]),
        deals_in_words(comparison["score"]),
    ]
    cells += ["-" if risen is None else number(risen, 3, signed=True), score_in_words(open_cards)]
    return f"| {' | '.join(cells)} |"
