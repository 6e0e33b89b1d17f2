"""The picture of restricted play: a bar for each freedom and player, with its interval."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from ..harness.themes import finish

WIDTH, HEAD, BAR = 8.0, 1.1, 0.24  # inches
ROOM = 0.8  # that the bars of a freedom take, of the room it has


def picture(found: dict[str, Any]) -> Figure:
    """The worth of every freedom from left to right, the dearest on top; a colour for each player."""
    rows = found["rows"]
    agents, names = (list(dict.fromkeys(row[key] for row in rows)) for key in ("agent", "freedom"))
    most = {name: max(row["worth"] for row in rows if row["freedom"] == name) for name in names}
    order = sorted(names, key=lambda name: most[name])
    figure = Figure(figsize=(WIDTH, HEAD + BAR * len(order) * (len(agents) + 1)), layout="constrained")
    axes = figure.subplots()
    thick = ROOM / len(agents)
    for i, agent in enumerate(agents):
        own = sorted((row for row in rows if row["agent"] == agent), key=lambda row: order.index(row["freedom"]))
        at = [order.index(row["freedom"]) + ROOM / 2 - thick * (i + 0.5) for row in own]
        worth = [row["worth"] for row in own]
        ends = [[row["worth"] - row["low"] for row in own], [row["high"] - row["worth"] for row in own]]
        axes.barh(at, worth, thick * 0.9, xerr=ends, color=f"C{i}", ecolor="#888888", capsize=2, label=agent)
    axes.set_yticks(range(len(order)), order)
    axes.axvline(0, color="#888888", linewidth=0.8)
    axes.set_xlabel("worth: 0.5 less the score without it, 95 % intervals")
    axes.set_title(f"{found['title']} for {found['players']}: what each freedom is worth", fontsize=11)
    axes.legend(frameon=False, fontsize=9)
    finish(axes, "x")
    return figure
