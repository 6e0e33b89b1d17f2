"""The picture of a question: figures from left to right, a colour for each variant, a row for each line-up."""

from __future__ import annotations

import io
from typing import Any

import matplotlib
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.formatting import COLOURS
from .question import Question

WIDTH, ROW = 10.0, 2.1  # inches
SIDE = 0.6  # how far the variants of a figure lie apart, of the room it has
LONG = 11  # letters of a label that needs slanting when there are many
LEGEND = 100  # letters of a line of the legend


def picture(question: Question, found: pl.DataFrame) -> str:
    """An SVG of the rows of `found`, which answer `question`; values with their 95 % intervals."""
    lineups = found["lineup"].unique(maintain_order=True).to_list()
    variants = found["variant"].unique(maintain_order=True).to_list()
    labels = [figure.name for figure in question.figures]
    slanted = len(labels) * max(map(len, labels)) > WIDTH * LONG
    height = ROW * len(lineups) + (1.3 if slanted else 0.7)
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    rows = figure.subplots(len(lineups), sharex=True, squeeze=False)[:, 0]
    for axes, lineup in zip(rows, lineups, strict=True):
        _draw(axes, question, labels, variants, found.filter(pl.col("lineup") == lineup))
        axes.set_title(lineup, fontsize=10, loc="left")
    rows[-1].set_xticks(range(len(labels)), labels, rotation=30 if slanted else 0, ha="right" if slanted else "center")
    if len(variants) > 1:
        handles, names = rows[0].get_legend_handles_labels()
        columns = max(1, min(len(names), LEGEND // max(map(len, names))))
        figure.legend(handles, names, loc="outside upper right", ncols=columns, frameon=False, fontsize=9)
    return _svg(figure)


def _draw(axes: Axes, question: Question, labels: list[str], variants: list[str], found: pl.DataFrame) -> None:
    for i, variant in enumerate(variants):
        own = found.filter(pl.col("variant") == variant, pl.col("value").is_not_null())
        x = np.array([labels.index(name) for name in own["figure"]]) + SIDE * ((i + 0.5) / len(variants) - 0.5)
        value = own["value"].to_numpy()
        ends = np.abs(np.array([value - own["low"].to_numpy(), own["high"].to_numpy() - value]))
        style: dict[str, Any] = {"fmt": "o", "markersize": 4, "capsize": 2, "color": COLOURS[i % len(COLOURS)]}
        axes.errorbar(x, value, ends, label=variant, **style)
    if question.even is not None:
        axes.axhline(question.even, color="#999999", linewidth=0.8, linestyle="--", zorder=0)
    axes.set_ylabel(question.unit, fontsize=9)
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.margins(y=0.12)
    axes.grid(axis="y", color="#eeeeee")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)


def _svg(figure: Figure) -> str:
    """Without what stands before the tag, and the same for the same figures."""
    drawn = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "balance", "font.family": "sans-serif"}):
        figure.savefig(drawn, format="svg", metadata={"Date": None})
    text = drawn.getvalue()
    return text[text.index("<svg") :]
