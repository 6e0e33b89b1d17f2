"""The picture of depth: all games together, strength over worlds up to the ceilings of those who see all cards."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.themes import finish, means_and_ends
from .reading import EVEN, Depth

SIZE = (9.5, 5.2)  # inches
BELOW = ("uniform", "greedy")  # who stands left of the searches, and
ABOVE = "oracle"  # right of them
MARK: dict[str, Any] = {"capsize": 3, "markersize": 5}
STYLES = (("o", "-"), ("s", "--"), ("^", "-."), ("D", ":"), ("v", "-"))  # a theme may have fewer colours than games


def picture(found: Sequence[Depth]) -> Figure:
    """Scores against the scripted player: the weakest left, search by its worlds, the oracle on the right."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    worlds = sorted({count for depth in found for count in depth.searches})
    first, last = math.log2(worlds[0]), math.log2(worlds[-1])
    at: dict[Any, float] = {count: math.log2(count) for count in worlds}
    at |= {name: first - 2.0 + i * 0.8 for i, name in enumerate(BELOW)} | {ABOVE: last + 1.2}
    for i, (depth, (marker, line)) in enumerate(zip(found, itertools.cycle(STYLES), strict=False)):
        _draw(axes, depth, at, (i - (len(found) - 1) / 2) * 0.06, {"color": f"C{i}", "marker": marker}, line)
    axes.axhline(EVEN, color="#888888", linewidth=0.8)
    axes.annotate("scripted", (first - 2.3, EVEN), (0, 4), textcoords="offset points", fontsize=9)
    axes.set_xticks(list(at.values()), list(map(str, at)))
    axes.set(xlabel="worlds of search, log2", ylabel="score against the scripted player", ylim=(-0.02, 1.04))
    axes.set_title("Depth of skill: how far each game lets play rise, 95 % intervals", fontsize=11)
    axes.legend(frameon=False, fontsize=9, loc="lower right")
    finish(axes)
    return figure


def _draw(axes: Axes, depth: Depth, at: dict[Any, float], aside: float, style: dict[str, Any], line: str) -> None:
    """Search is joined by a line, from few worlds to many; its ceiling by a thin one."""
    joined = {at[count] + aside: score for count, score in depth.searches.items()}
    apart = {at[name] + aside: depth.others[name] for name in (*BELOW, ABOVE) if name in depth.others}
    label = f"{depth.title} for {depth.players}"
    for scores, own in ((joined, {"linestyle": line, "label": label}), (apart, {"linestyle": "", "alpha": 0.7})):
        means, ends = means_and_ends(list(scores.values()))
        axes.errorbar(list(scores), means, ends, **{**MARK, **style, **own})
    if ABOVE in depth.others:
        rising = [list(joined.values())[-1]["mean"], depth.others[ABOVE]["mean"]]
        axes.plot([max(joined), at[ABOVE] + aside], rising, color=style["color"], linewidth=0.6, alpha=0.5)
