"""Draw a ladder: score against the scripted agent over log2(samples), and over milliseconds per decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.formatting import Row
from ..harness.themes import finish, means_and_ends, write_both

SIZE = (10.0, 4.2)  # inches
EVEN = 0.5
FAR_BELOW = 0.4  # lower scores would flatten the left panel
MARK: dict[str, Any] = {"marker": "o", "markersize": 5, "capsize": 3}


def write_pictures(page: Path, results: Row) -> dict[str, Path]:
    """Write the pictures of a ladder next to its page, and return them by theme."""
    return write_both(page, page.stem, lambda: picture(results), "ladder")


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
