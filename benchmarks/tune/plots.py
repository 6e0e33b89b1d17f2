"""Draw all variants of a tuning by their distances from the goals."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.themes import finish

WIDTH, HEIGHT, PANELS = 4.6, 4.2, 3  # inches of a panel; panels side by side at most
STYLES: dict[str, dict[str, Any]] = {
    "pruned": {"marker": "x", "color": "#888888", "s": 30},
    "tried": {"marker": "o", "color": "C0", "s": 30},
    "Pareto front": {"marker": "o", "color": "C1", "s": 55},
    "nearest": {"marker": "*", "color": "C2", "s": 200},
}


def picture(results: dict[str, Any]) -> Figure:
    """Draw the distances from two goals in each panel; with one goal, in the order in which variants were tried."""
    goals = list(results["goals"])
    pairs = list(combinations(goals, 2))[:PANELS] or [(None, goals[0])]
    figure = Figure(figsize=(max(7.0, WIDTH * len(pairs)), HEIGHT), layout="constrained")
    figure.suptitle(f"{results['title']}: variants by their distance from the goals")
    panels = figure.subplots(1, len(pairs), squeeze=False)[0]
    for axes, (across, up) in zip(panels, pairs, strict=True):
        _draw(axes, results["trials"], across, up)
    panels[0].legend(frameon=False, fontsize=8)
    return figure


def standing(trial: dict[str, Any]) -> str:
    """Return the result of a variant as in the legend of the picture."""
    if trial["nearest"]:
        return "nearest"
    if trial["given_up"]:
        return "pruned"
    return "Pareto front" if trial["front"] else "tried"


def _draw(axes: Axes, trials: list[dict[str, Any]], across: str | None, up: str) -> None:
    places = [(trial["away"][across] if across else i, trial["away"][up]) for i, trial in enumerate(trials, start=1)]
    for label, style in STYLES.items():
        points = [place for place, trial in zip(places, trials, strict=True) if standing(trial) == label]
        axes.scatter([x for x, _ in points], [y for _, y in points], label=label, **style)
    axes.annotate("base", places[0], (6, 6), textcoords="offset points", fontsize=9)
    axes.set(xlabel=f"distance from {across}" if across else "variant, as tried", ylabel=f"distance from {up}")
    axes.set_ylim(bottom=0)
    finish(axes)
