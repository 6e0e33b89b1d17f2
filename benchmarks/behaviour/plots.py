"""The picture of a section: a panel for each quantity, bars or lines side by side for the agents."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Picture
from matplotlib.patches import Patch

from ..harness.formatting import COLOURS
from .answers import ALL, Answer
from .quantities import Quantity, Scale

MARKS = "os^Dv*P"
WIDTH, ROW = 11.0, 2.7  # inches
COLUMNS = 12  # of the grid that panels are laid on
BARS = 0.8  # of the room of a group
HEADROOM = 0.1  # above the highest bar, for its value
LEAST_SHARE = 0.1  # at the top of a scale of shares: what hardly ever happens looks small
LEAST = 6  # columns that a row of few panels is drawn as
LETTERS = 9  # of a title, for a column


def picture(answers: Sequence[Answer], agents: Sequence[str]) -> Picture:
    """All quantities of a section, in their order; values with 95 % intervals."""
    panels = [(quantity, list(own)) for quantity, own in groupby(answers, key=lambda answer: answer.quantity)]
    rows = _rows([_room(quantity) for quantity, _ in panels])
    drawn = Picture(figsize=(WIDTH, ROW * len(rows) + 0.4), layout="constrained")
    grid = drawn.add_gridspec(len(rows), COLUMNS)
    places = [(row, place) for row, widths in enumerate(rows) for place in _places(widths)]
    for (quantity, own), (row, place) in zip(panels, places, strict=True):
        axes = drawn.add_subplot(grid[row, place])
        width = place.stop - place.start
        if isinstance(quantity.parts, Scale):
            _lines(axes, quantity, own)
        else:
            _bars(axes, quantity, own, width)
        axes.set_title("\n".join(textwrap.wrap(_capital(quantity.name), LETTERS * width)), fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", color="#e5e5e5")
        axes.set_axisbelow(True)
        axes.tick_params(labelsize=8)
    handles = [Patch(color=COLOURS[i % len(COLOURS)]) for i in range(len(agents))]
    drawn.legend(handles, agents, loc="outside upper center", ncols=len(agents), frameon=False, fontsize=10)
    return drawn


def _bars(axes: Axes, quantity: Quantity, own: Sequence[Answer], width: int) -> None:
    """A group of bars for each part, a bar for each agent; `width` in columns."""
    agents = len(own[0].samples)
    for i in range(agents):
        value, ends = _values(own, i)
        x = np.arange(len(own)) + BARS * ((i + 0.5) / agents - 0.5)
        axes.bar(x, value, BARS / agents, color=COLOURS[i % len(COLOURS)])
        axes.errorbar(x, value, ends, fmt="none", ecolor="black", elinewidth=1, capsize=2)
        if quantity.parts is None and not np.isnan(value[0]):
            above = (x[0], max(float(value[0] + ends[1, 0]), 0))
            axes.annotate(f"{value[0]:.3g}", above, (0, 2), textcoords="offset points", ha="center", fontsize=8)
    names = [answer.part for answer in own if quantity.parts]
    axes.set_xticks(range(len(names)), names)
    if sum(len(name) + 2 for name in names) > LETTERS * width:
        axes.tick_params(axis="x", rotation=30)
    axes.set_xlim(-0.6, len(own) - 0.4)
    low, high = axes.get_ylim()
    high += HEADROOM * (high - low)
    axes.set_ylim(low, high if quantity.bounds is None else max(high, LEAST_SHARE))
    axes.axhline(0, color="#555555", linewidth=0.8)


def _lines(axes: Axes, quantity: Quantity, own: Sequence[Answer]) -> None:
    """A line over the ranges for each agent, with a band for its intervals."""
    ranges = [answer for answer in own if answer.part != ALL]
    x = np.arange(len(ranges))
    for i in range(len(own[0].samples)):
        value, ends = _values(ranges, i)
        colour = COLOURS[i % len(COLOURS)]
        axes.plot(x, value, marker=MARKS[i % len(MARKS)], markersize=4, linewidth=1.5, color=colour)
        axes.fill_between(x, value - ends[0], value + ends[1], color=colour, alpha=0.2, linewidth=0)
    axes.set_xticks(x, [answer.part for answer in ranges])
    axes.set_xlabel(quantity.by, fontsize=9)
    axes.margins(y=0.08)


def _values(own: Sequence[Answer], agent: int) -> tuple[np.ndarray, np.ndarray]:
    """Values (parts,), and how far the interval goes below and above them (2, parts); NaN where nothing counts."""
    found = [answer.samples[agent] for answer in own]
    value = np.array([sample.value for sample in found])
    ends = np.array([[sample.value - sample.low for sample in found], [sample.high - sample.value for sample in found]])
    return value, np.maximum(ends, 0)


def _room(quantity: Quantity) -> int:
    """How many columns a panel wants."""
    if isinstance(quantity.parts, Scale):
        return 4
    return min(COLUMNS, max(3, len(quantity.names)))


def _rows(wanted: Sequence[int]) -> list[list[int]]:
    """Panels from left to right in as few rows as need be, which are about equally full."""
    fewest = len(_filled(wanted, COLUMNS))
    return next(rows for room in range(max(wanted), COLUMNS + 1) if len(rows := _filled(wanted, room)) == fewest)


def _filled(wanted: Sequence[int], room: int) -> list[list[int]]:
    """Each panel in the row of the one before, unless that has no room for it."""
    rows: list[list[int]] = [[]]
    for width in wanted:
        if rows[-1] and sum(rows[-1]) + width > room:
            rows.append([])
        rows[-1].append(width)
    return rows


def _places(widths: Sequence[int]) -> list[slice]:
    """The columns of each panel of a row; what is over is shared out."""
    edges = np.round(np.cumsum([0, *widths]) * COLUMNS / max(sum(widths), LEAST)).astype(int)
    return [slice(int(low), int(high)) for low, high in pairwise(edges)]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
