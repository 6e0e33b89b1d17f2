"""Write the page of a ladder from its results, with two pictures: the scores over log2(samples), and over time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.oracle import ORACLE
from ..harness.pages import Row, finish, means_and_ends, number, score_in_words, with_ends, write_both, write_page
from .study import BASE

NOTES = Path(__file__).with_name("notes")
EVEN = 0.5
SIZE = (10.0, 4.2)  # inches
FAR_BELOW = 0.4  # lower scores would flatten the left panel
MARK: dict[str, Any] = {"marker": "o", "markersize": 5, "capsize": 3}


def write_ladder_page(page: Path, results: Row) -> None:
    """Write the page of a ladder and its pictures from its results."""
    pictures = write_both(page, page.stem, lambda: picture(results), "ladder")
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


def picture(results: Row) -> Figure:
    """Draw the searches by their samples on the left, and all agents by their time on the right."""
    figure = Figure(figsize=SIZE, layout="constrained")
    figure.suptitle(f"{results['title']} for {results['players']}: score against the scripted agent, 95 % intervals")
    by_samples, by_time = figure.subplots(1, 2)
    _by_samples(by_samples, results["rungs"])
    _by_time(by_time, results["rungs"])
    return figure


def _by_samples(axes: Axes, rungs: list[Row]) -> None:
    """Draw the searches by their samples, and every other strong agent as a line with a band."""
    searches = [rung for rung in rungs if rung["samples"] and rung["score"]]
    others = [rung for rung in rungs if not rung["samples"] and rung["score"] and rung["score"]["mean"] > FAR_BELOW]
    samples = [rung["samples"] for rung in searches]
    if searches:
        axes.set_xscale("log", base=2)
        axes.errorbar(
            samples, *means_and_ends([rung["score"] for rung in searches]), **MARK, color="C0", label="search"
        )
        axes.set_xticks(samples, list(map(str, samples)))
        axes.minorticks_off()
    for i, rung in enumerate(others, start=1):
        axes.axhline(rung["score"]["mean"], color=f"C{i}", linestyle="--", label=rung["agent"])
        axes.axhspan(rung["score"]["low"], rung["score"]["high"], color=f"C{i}", alpha=0.15, linewidth=0)
    axes.set(xlabel="samples, log2", ylabel="score, 0.5 = even")
    _finish(axes)
    axes.legend(frameon=False, fontsize=9)


def _by_time(axes: Axes, rungs: list[Row]) -> None:
    """Draw every agent by its time. The scripted agent gets 0.5 against itself."""
    points = [{**rung, "score": rung["score"] or {"mean": EVEN, "low": EVEN, "high": EVEN}} for rung in rungs]
    axes.set_xscale("log")
    axes.errorbar(
        [rung["milliseconds"] for rung in points],
        *means_and_ends([rung["score"] for rung in points]),
        **MARK,
        linestyle="",
        color="C0",
    )
    for rung in points:
        place = rung["milliseconds"], rung["score"]["mean"]
        axes.annotate(rung["agent"], place, (5, -9), textcoords="offset points", fontsize=8)
    axes.set(xlabel="milliseconds per decision, one core", ylim=(-0.02, 1.02))
    axes.margins(x=0.15)
    _finish(axes)


def _finish(axes: Axes) -> None:
    axes.axhline(EVEN, color="#888888", linewidth=0.8)
    finish(axes)
