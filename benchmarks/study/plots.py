"""Draw the pictures of a page from its figures: all answers, panels of dots or lines, and changes of rules."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.formatting import Row
from ..harness.themes import PLAYERS, finish

Series = Mapping[str, Sequence[Row]]
Panels = Mapping[str, Series]  # by title

WIDTH, HEIGHT, LOW = 9.0, 2.9, 2.3  # inches
GREY = "#888888"
SIDE = 0.6  # share of the room of a part that its series use
LETTERS = 70  # with more letters in all labels of a panel of this width, the labels are slanted
FEW_LETTERS = 50  # in all labels of a panel that has others at its side
POINT: dict[str, Any] = {"linestyle": "", "markersize": 4, "capsize": 2}
MARKERS = "osD^vPX*"  # of series
STROKES = ("-", "--", ":", "-.")  # of series
SHARES = ("score", "share")  # units of values from 0 to 1
NARROWEST = 0.2  # the smallest range of an axis: of shares, or relative to the values
RULE = 0.3  # inches per option
ACROSS = 3  # panels side by side


@dataclass(frozen=True)
class Chart:
    """The figures that answer a question, to be drawn as dots."""

    title: str
    parts: Sequence[str]
    series: Series
    unit: str
    even: float | None


def overview(charts: Sequence[Chart]) -> Figure:
    """Draw the answers of a study side by side, each in its own unit."""
    across = min(len(charts), ACROSS)
    slanted = any(_letters(chart.parts) * across > LETTERS for chart in charts)
    figure, every = _grid(len(charts), across, LOW + 0.6 * slanted)
    names = list(dict.fromkeys(name for chart in charts for name in chart.series))
    for axes, chart in zip(every, charts, strict=True):
        _dots(axes, chart.parts, chart.series, names)
        _label(axes, chart.parts, chart.even, "", _letters(chart.parts) * across > LETTERS)
        _widen(axes, chart.unit)
        axes.set_title(chart.title, fontsize=10)
        axes.set_ylabel(chart.unit, fontsize=8)
    _legend(figure, names, "outside lower left")
    return figure


def panels(parts: Sequence[str], by_panel: Panels, unit: str, even: float | None, by: str) -> Figure:
    """Draw the panels of a measure: lines over the ranges of the scale `by`, or dots for named parts if it is ""."""
    across = min(len(by_panel), ACROSS) if _letters(parts) < FEW_LETTERS else 1
    slanted = _letters(parts) * across > LETTERS and not by
    figure, every = _grid(len(by_panel), across, HEIGHT + 0.6 * slanted, sharey=True)
    names = list(dict.fromkeys(name for series in by_panel.values() for name in series))  # a name keeps its look
    for axes, (title, series) in zip(every, by_panel.items(), strict=True):
        draw = _lines if by else _dots
        draw(axes, parts, series, names)
        _label(axes, parts, even, by, slanted)
        if len(by_panel) > 1:
            axes.set_title(title, fontsize=10)
    _widen(every[0], unit)
    every[0].set_ylabel(unit)
    _legend(figure, names, "outside right upper")
    return figure


def _grid(count: int, across: int, height: float, sharey: bool = False) -> tuple[Figure, list[Axes]]:
    """Return a figure with panels of this height, `across` side by side, and the panels."""
    down = -(-count // across)
    figure = Figure(figsize=(WIDTH, down * height), layout="constrained")
    every = figure.subplots(down, across, sharey=sharey, squeeze=False).ravel()
    for axes in every[count:]:
        axes.set_visible(False)
    return figure, list(every[:count])


def _letters(parts: Sequence[str]) -> int:
    """Return the letters of all labels, with the room between them."""
    return sum(len(part) + 2 for part in parts)


def _label(axes: Axes, parts: Sequence[str], even: float | None, by: str, slanted: bool) -> None:
    """Add the labels of the parts and the line of the even value."""
    axes.set_xticks(range(len(parts)), parts, rotation=30 if slanted else 0, ha="right" if slanted else "center")
    axes.set_xlabel(by)
    if even is not None:
        axes.axhline(even, color=GREY, linewidth=0.8)
    finish(axes)


def _widen(axes: Axes, unit: str) -> None:
    """Widen the range of an axis that would show a difference of nothing as large."""
    low, high = axes.get_ylim()
    least = NARROWEST if unit in SHARES else NARROWEST * max(abs(low), abs(high))
    more = max(0.0, least - (high - low)) / 2
    axes.set_ylim(low - more, high + more)


def _legend(figure: Figure, names: Sequence[str], place: Literal["outside lower left", "outside right upper"]) -> None:
    """Add one legend for all panels, unless there is only one series."""
    if len(names) > 1:
        handles = [pair for axes in figure.axes for pair in zip(*axes.get_legend_handles_labels(), strict=True)]
        shown = {label: handle for handle, label in handles}
        figure.legend([shown[name] for name in names], names, frameon=False, fontsize=8, loc=place)


def _dots(axes: Axes, parts: Sequence[str], series: Series, names: Sequence[str]) -> None:
    """Draw a group of dots with intervals for each part."""
    for name, rows in series.items():
        i = names.index(name)
        side = SIDE * ((i + 0.5) / len(names) - 0.5)
        at = [parts.index(row["label"]) + side for row in rows]
        axes.errorbar(at, _values(rows), _ends(rows), label=name, **_look(i), **POINT)
    axes.set_xlim(-0.6, len(parts) - 0.4)


def _lines(axes: Axes, parts: Sequence[str], series: Series, names: Sequence[str]) -> None:
    """Draw lines with bands."""
    for name, rows in series.items():
        i = names.index(name)
        at = [parts.index(row["label"]) for row in rows]
        axes.plot(at, _values(rows), linestyle=STROKES[i % len(STROKES)], markersize=4, label=name, **_look(i))
        low, high = ([row[end] for row in rows] for end in ("low", "high"))
        axes.fill_between(at, low, high, color=_colour(i), alpha=0.2, linewidth=0)


def changes(variants: Sequence[str], by_measure: Mapping[str, Sequence[Row]]) -> Figure:
    """Draw the changes of every variant, a panel for each measure, in the given order from the top."""
    figure = Figure(figsize=(WIDTH + 1, 1.1 + RULE * len(variants)), layout="constrained")
    panels = figure.subplots(1, len(by_measure), sharey=True, squeeze=False)[0]
    for i, (axes, (name, rows)) in enumerate(zip(panels, by_measure.items(), strict=True)):
        at = [len(variants) - 1 - variants.index(row["variant"]) for row in rows]
        axes.barh(at, _values(rows), 0.6, xerr=_ends(rows), color=_colour(i), ecolor=GREY, capsize=2)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.set_title("\n".join(textwrap.wrap(name, 22)), fontsize=9)
        axes.locator_params(axis="x", nbins=4)
        finish(axes, "x")
    panels[0].set_yticks(range(len(variants)), list(reversed(variants)))
    return figure


def _look(i: int) -> dict[str, Any]:
    return {"color": _colour(i), "marker": MARKERS[i % len(MARKERS)]}


def _colour(i: int) -> str:
    return f"C{i % PLAYERS}"


def _values(rows: Sequence[Row]) -> list[float]:
    return [row["value"] for row in rows]


def _ends(rows: Sequence[Row]) -> list[list[float]]:
    """Return the lengths of error bars below and above."""
    below = [max(0.0, row["value"] - row["low"]) for row in rows]
    return [below, [max(0.0, row["high"] - row["value"]) for row in rows]]
