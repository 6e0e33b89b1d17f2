"""Draw the pictures of a page from its figures: dots or lines by series, and a matrix of line-ups."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..harness.themes import PLAYERS, finish

Row = dict[str, Any]
Series = Mapping[str, Sequence[Row]]

WIDTH, HEIGHT = 9.0, 2.9  # inches
GREY = "#888888"
EVEN = 0.5
SIDE = 0.6  # share of the room of a part that its series use
LETTERS = 70  # with more letters in all labels, the labels are slanted
POINT: dict[str, Any] = {"linestyle": "", "markersize": 4, "capsize": 2}
MARKERS = "osD^vPX*"  # of line-ups
STROKES = ("-", "--", ":", "-.")  # of line-ups
RULE = 0.3  # inches per option


def dots(parts: Sequence[str], series: Series, unit: str, even: float | None) -> Figure:
    """Draw a group of dots with intervals for each part, a colour for each variant or line-up."""
    slanted = sum(len(part) + 2 for part in parts) > LETTERS
    figure = Figure(figsize=(WIDTH, HEIGHT + 0.6 * slanted), layout="constrained")
    axes = figure.subplots()
    looks = _looks(series)
    for i, (name, rows) in enumerate(series.items()):
        side = SIDE * ((i + 0.5) / len(series) - 0.5)
        at = [parts.index(row["label"]) + side for row in rows]
        axes.errorbar(at, _values(rows), _ends(rows), label=name, **looks[name], **POINT)
    axes.set_xticks(range(len(parts)), parts, rotation=30 if slanted else 0, ha="right" if slanted else "center")
    axes.set_xlim(-0.6, len(parts) - 0.4)
    return _finished(figure, axes, series, unit, even)


def lines(parts: Sequence[str], series: Series, unit: str, even: float | None, by: str) -> Figure:
    """Draw a line with a band over the ranges of a scale, a colour for each variant or line-up."""
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    axes = figure.subplots()
    looks = _looks(series)
    for name, rows in series.items():
        at = [parts.index(row["label"]) for row in rows]
        stroke = STROKES[MARKERS.index(looks[name]["marker"]) % len(STROKES)]
        axes.plot(at, _values(rows), linestyle=stroke, markersize=4, label=name, **looks[name])
        low, high = ([row[end] for row in rows] for end in ("low", "high"))
        axes.fill_between(at, low, high, color=looks[name]["color"], alpha=0.2, linewidth=0)
    axes.set_xticks(range(len(parts)), parts)
    axes.set_xlabel(by)
    return _finished(figure, axes, series, unit, even)


def calibration(predicted: Series, observed: Series) -> Figure:
    """Draw the observed score over the predicted win probability. On the diagonal both are equal."""
    figure = Figure(figsize=(WIDTH / 2, HEIGHT + 0.8), layout="constrained")
    axes = figure.subplots()
    looks = _looks(predicted)
    for name, rows in predicted.items():
        came = {row["label"]: row for row in observed.get(name, ())}
        both = [row for row in rows if row["label"] in came]
        outcomes = [came[row["label"]] for row in both]
        axes.errorbar(_values(both), _values(outcomes), _ends(outcomes), label=name, **looks[name], **POINT)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle="--")
    axes.set(xlabel="predicted win probability")
    return _finished(figure, axes, predicted, "observed score", None)


def matrix(agents: Sequence[str], scores: Mapping[tuple[str, str], Row]) -> Figure:
    """Draw the scores of rows among copies of columns, blue above even and orange below."""
    size = 1.15 * len(agents)
    figure = Figure(figsize=(size + 2.6, size * 0.62 + 1.2), layout="constrained")
    axes = figure.subplots()
    for i, one in enumerate(agents):
        for j, other in enumerate(agents):
            _cell(axes, j, i, scores.get((one, other)))
    axes.set_xticks([i + 0.5 for i in range(len(agents))], agents)
    axes.set_yticks([i + 0.5 for i in range(len(agents))], agents)
    axes.set(xlim=(0, len(agents)), ylim=(len(agents), 0), xlabel="among copies of")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


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


def _finished(figure: Figure, axes: Axes, series: Series, unit: str, even: float | None) -> Figure:
    """Add what all pictures have."""
    if even is not None:
        axes.axhline(even, color=GREY, linewidth=0.8)
    axes.set_ylabel(unit)
    if len(series) > 1:
        axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    finish(axes)
    return figure


def _cell(axes: Axes, x: int, y: int, row: Row | None) -> None:
    if row is None:
        axes.text(x + 0.5, y + 0.5, "-", ha="center", va="center")
        return
    far = abs(row["value"] - EVEN) * 2
    colour = "C0" if row["value"] > EVEN else "C1"
    axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=colour, alpha=0.7 * far, linewidth=0)
    axes.text(x + 0.5, y + 0.42, f"{row['value']:.3f}", ha="center", va="center", fontsize=11)
    ends = f"{row['low']:.3f} .. {row['high']:.3f}"
    axes.text(x + 0.5, y + 0.74, ends, ha="center", va="center", fontsize=8)


def _looks(series: Series) -> dict[str, dict[str, Any]]:
    """Return a colour for each variant and a marker for each line-up; with one variant, a colour for each line-up."""
    firsts = {name: rows[0] for name, rows in series.items()}
    variants, lineups = (list(dict.fromkeys(row[key] for row in firsts.values())) for key in ("variant", "lineup"))
    looks: dict[str, dict[str, Any]] = {}
    for name, row in firsts.items():
        lineup = lineups.index(row["lineup"])
        colour = variants.index(row["variant"]) if len(variants) > 1 else lineup
        looks[name] = {"color": _colour(colour), "marker": MARKERS[lineup % len(MARKERS)]}
    return looks


def _colour(i: int) -> str:
    return f"C{i % PLAYERS}"


def _values(rows: Sequence[Row]) -> list[float]:
    return [row["value"] for row in rows]


def _ends(rows: Sequence[Row]) -> list[list[float]]:
    """Return the lengths of error bars below and above."""
    below = [max(0.0, row["value"] - row["low"]) for row in rows]
    return [below, [max(0.0, row["high"] - row["value"]) for row in rows]]
