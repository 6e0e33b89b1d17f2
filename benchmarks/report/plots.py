"""The pictures of a page, drawn from its figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tantra_envs.core.game import Game

from ..balance.questions.results import seats
from ..balance.questions.skill import skill
from ..balance.study import in_words
from ..chances.plots import curve
from ..harness.themes import finish
from .reading import CHANGES, LENGTHS, MEASURES
from .study import CHANCES, LEVELS, Row
from .told import Told

WIDTH = 9.0  # inches
GREY = "#888888"
EVEN = 0.5
POINT: dict[str, Any] = {"fmt": "o", "markersize": 5, "capsize": 3}
SIDE = 0.16  # between the players of a seat
RULE = 0.3  # inches of a rule


def seat_shares(game: Game, told: Told) -> Figure:
    """The score of every seat, a colour for each player."""
    figure = Figure(figsize=(WIDTH, 3.2), layout="constrained")
    axes = figure.subplots()
    names = list(dict.fromkeys(row["figure"] for row in told.rows(LEVELS, question=seats(game).title)))
    for i, lineup in enumerate(told.levels()):
        rows = told.rows(LEVELS, question=seats(game).title, lineup=lineup)
        at = [names.index(row["figure"]) + SIDE * (i - (len(told.levels()) - 1) / 2) for row in rows]
        axes.errorbar(at, _values(rows), _ends(rows), color=_colour(told, lineup), label=lineup, **POINT)
    axes.axhline(EVEN, color=GREY, linewidth=0.8)
    axes.set_xticks(range(len(names)), [f"{names[0]}\n(acts first)", *names[1:]])
    axes.set(ylabel="score, 0.5 is even", xlim=(-0.6, len(names) - 0.4))
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1, 1))
    finish(axes)
    return figure


def matchups(game: Game, told: Told) -> Figure:
    """Who beats whom: rows score among columns, blue above even and orange below."""
    levels = told.levels()
    size = 1.15 * len(levels)
    figure = Figure(figsize=(size + 2.6, size * 0.62 + 1.2), layout="constrained")
    axes = figure.subplots()
    for i, one in enumerate(levels):
        for j, other in enumerate(levels):
            _cell(axes, j, i, _score(game, told, one, other))
    axes.set_xticks([i + 0.5 for i in range(len(levels))], levels)
    axes.set_yticks([i + 0.5 for i in range(len(levels))], levels)
    axes.set(xlim=(0, len(levels)), ylim=(len(levels), 0), xlabel="among copies of")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    return figure


def _score(game: Game, told: Told, one: str, other: str) -> Row | None:
    """What one player scores among the other; of two teams the other way round is its complement."""
    wanted: dict[str, Any] = {"question": skill(game).title, "figure": "score of A"}
    found = told.one(LEVELS, lineup=in_words([one, other]), **wanted)
    turned = told.one(LEVELS, lineup=in_words([other, one]), **wanted) if len(game.teams) == 2 else None
    if found or not turned:
        return found
    return {**turned, "value": 1 - turned["value"], "low": 1 - turned["high"], "high": 1 - turned["low"]}


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


def lengths(told: Told) -> Figure:
    """How the lengths of games are spread, a panel for each player."""
    lineups = told.lineups(LENGTHS)
    figure = Figure(figsize=(WIDTH, 2.9), layout="constrained")
    panels = figure.subplots(1, len(lineups), squeeze=False)[0]
    for axes, lineup in zip(panels, lineups, strict=True):
        rows = told.rows(LENGTHS, lineup=lineup)
        at = [row["at"] for row in rows]
        width = at[1] - at[0] if len(at) > 1 else 1.0
        middle = [start + width / 2 for start in at]
        axes.bar(middle, _values(rows), 0.9 * width, yerr=_ends(rows), color=_colour(told, lineup), ecolor=GREY)
        axes.set_xlabel(f"actions; last bar: {rows[-1]['figure']}")
        axes.set_title(lineup, fontsize=10)
        finish(axes)
    panels[0].set_ylabel("share of games")
    return figure


def tension(told: Told) -> Figure:
    """How the later winner's chance rises, and how many games are decided, a colour for each player."""
    figure = Figure(figsize=(WIDTH, 3.4), layout="constrained")
    moving, deciding = figure.subplots(1, 2)
    for lineup in told.lineups(CHANCES):
        rows = [{**row, "group": row["question"]} for row in told.rows(CHANCES, lineup=lineup)]
        curve(moving, rows, "winner", lineup, _colour(told, lineup))
        curve(deciding, rows, "decided", lineup, _colour(told, lineup))
    moving.set(ylabel="chance of the later winner", ylim=(0.3, 1.02))
    deciding.set(ylabel="games decided for good", ylim=(-0.03, 1.03))
    for axes in (moving, deciding):
        axes.set(xlabel="share of the game played", xlim=(0, 1))
        axes.legend(frameon=False, fontsize=9)
        finish(axes)
    return figure


def rules(told: Told, order: Sequence[str]) -> Figure:
    """What every rule changes, a panel for each measure, the rule that changes most on top."""
    figure = Figure(figsize=(WIDTH + 1, 1.1 + RULE * len(order)), layout="constrained")
    panels = figure.subplots(1, len(MEASURES), sharey=True)
    for i, (axes, name) in enumerate(zip(panels, MEASURES, strict=True)):
        rows = told.rows(CHANGES, figure=name)
        at = [len(order) - 1 - order.index(row["variant"]) for row in rows]
        axes.barh(at, _values(rows), 0.6, xerr=_ends(rows), color=f"C{i}", ecolor=GREY, capsize=2)
        axes.axvline(0, color=GREY, linewidth=0.8)
        axes.set_title(name, fontsize=10)
        axes.locator_params(axis="x", nbins=4)
        finish(axes, "x")
    panels[0].set_yticks(range(len(order)), list(reversed(order)))
    return figure


def _colour(told: Told, lineup: str) -> str:
    """The same for a player in all pictures; those that only one of them shows come last."""
    known = [*told.levels(), *told.lineups(CHANCES)]
    return f"C{list(dict.fromkeys(known)).index(lineup)}"


def _values(rows: Sequence[Row]) -> list[float]:
    return [row["value"] for row in rows]


def _ends(rows: Sequence[Row]) -> list[list[float]]:
    """How far intervals go below and above, as error bars want them."""
    return [[row["value"] - row["low"] for row in rows], [row["high"] - row["value"] for row in rows]]
