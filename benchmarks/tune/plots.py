"""The picture of tuning: every variant that was tried, by how far it is from its goals."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.themes import finish

WIDTH, HEIGHT, PANELS = 4.6, 4.2, 3  # inches of a panel; so many side by side
STYLES: dict[str, dict[str, Any]] = {
    "given up": {"marker": "x", "color": "#888888", "s": 30},
    "tried": {"marker": "o", "color": "C0", "s": 30},
    "none is nearer to all goals": {"marker": "o", "color": "C1", "s": 55},
    "nearest": {"marker": "*", "color": "C2", "s": 200},
}


def picture(results: dict[str, Any]) -> Figure:
    """Distances from two goals in each panel; from a single goal in the order in which variants were tried."""
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
    """What became of a variant, as the picture calls it."""
    if trial["nearest"]:
        return "nearest"
    if trial["given_up"]:
        return "given up"
    return "none is nearer to all goals" if trial["front"] else "tried"


def _draw(axes: Axes, trials: list[dict[str, Any]], across: str | None, up: str) -> None:
    places = [(trial["away"][across] if across else i, trial["away"][up]) for i, trial in enumerate(trials, start=1)]
    for label, style in STYLES.items():
        points = [place for place, trial in zip(places, trials, strict=True) if standing(trial) == label]
        axes.scatter([x for x, _ in points], [y for _, y in points], label=label, **style)
    axes.annotate("as it is", places[0], (6, 6), textcoords="offset points", fontsize=9)
    axes.set(xlabel=f"away from {across}" if across else "variant, as tried", ylabel=f"away from {up}")
    axes.set_ylim(bottom=0)
    finish(axes)
