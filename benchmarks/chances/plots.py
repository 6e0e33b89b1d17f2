"""The picture of chances: how they move, when games are decided, and what came of each chance."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.themes import finish
from .reading import KINDS

Row = dict[str, Any]
SIZE = (13.2, 3.9)  # inches
LINES = {"winner": "the winner's chance", "favourite": "score of the favourite", "leader": "score of who stands best"}


def picture(found: Row) -> Figure:
    """Panels of the first agent's games, and of all agents when games are decided and how true their chances are."""
    figure = Figure(figsize=SIZE, layout="constrained")
    figure.suptitle(f"{found['title']} for {found['players']}: chances by {found['worlds']} playouts, 95 % intervals")
    moving, deciding, *truths = figure.subplots(1, 4)
    first, *_ = found["agents"]
    for i, (name, label) in enumerate(LINES.items()):
        curve(moving, first["figures"], name, label, f"C{i}")
    for i, own in enumerate(found["agents"]):
        curve(deciding, own["figures"], "decided", own["agent"], f"C{i}")
        for kind, truth in zip(KINDS, truths, strict=True):
            _reliability(truth, own["figures"], kind, own["agent"], f"C{i}")
    moving.set(xlabel="share of the game played", ylabel=f"score, {first['agent']}", xlim=(0, 1))
    deciding.set(xlabel="share of the game played", ylabel="games decided for good", xlim=(0, 1), ylim=(-0.03, 1.03))
    for truth, label in zip(truths, ("by what each seat sees", "of all together"), strict=True):
        truth.plot([0, 1], [0, 1], color="#888888", linewidth=0.8, linestyle="--")
        truth.set(xlabel=f"chance {label}", ylabel="score that came of it")
    for axes in (moving, deciding, *truths):
        axes.legend(frameon=False, fontsize=8)
        finish(axes)
    return figure


def curve(axes: Axes, rows: list[Row], group: str, label: str, colour: str) -> None:
    """A curve over the tenths of a game, with a band for its interval."""
    own = [row for row in rows if row["group"] == group and row["value"] is not None]
    if not own:
        return  # not every game's player says who stands best
    at = [row["at"] / 10 for row in own]
    axes.plot(at, [row["value"] for row in own], color=colour, marker="o", markersize=3, label=label)
    axes.fill_between(
        at, [row["low"] for row in own], [row["high"] for row in own], color=colour, alpha=0.2, linewidth=0
    )


def _reliability(axes: Axes, rows: list[Row], kind: str, label: str, colour: str) -> None:
    """What came of the chances of each bin."""
    own = [row for row in rows if row["group"] == kind and row["value"] is not None]
    said, came = ([row for row in own if row["figure"] == name] for name in ("chance", "score"))
    value = [row["value"] for row in came]
    ends = [[row["value"] - row["low"] for row in came], [row["high"] - row["value"] for row in came]]
    style: dict[str, Any] = {"fmt": "o", "markersize": 4, "capsize": 2, "color": colour, "label": label}
    axes.errorbar([row["value"] for row in said], value, ends, **style)
