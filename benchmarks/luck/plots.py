"""The picture of luck: every score twice, as it is and without luck."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from ..harness.themes import finish, means_and_ends

WIDTH, HEAD, ROW = 8.0, 1.2, 0.42  # inches
ASIDE = 0.14  # of the two scores of a row from its middle, in rows
SHOWN = {"plain": "score", "without": "score without luck"}


def picture(rows: list[dict[str, Any]]) -> Figure:
    """A row for each player and whom it meets, the first on top."""
    figure = Figure(figsize=(WIDTH, HEAD + ROW * len(rows)), layout="constrained")
    axes = figure.subplots()
    for i, (kind, label) in enumerate(SHOWN.items()):
        means, ends = means_and_ends([row[kind] for row in rows])
        at = [place + (2 * i - 1) * ASIDE for place in range(len(rows))]
        axes.errorbar(means, at, xerr=ends, fmt="os"[i], color=f"C{i}", capsize=3, markersize=5, label=label)
    names = [f"{row['title']}, {row['players']}: {row['agent']} and {row['against'] or 'itself'}" for row in rows]
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.axvline(0.5, color="#888888", linewidth=0.8)
    axes.set_xlabel("score, 0.5 = even, 95 % intervals")
    axes.legend(frameon=False, fontsize=9)
    finish(axes, "x")
    return figure
