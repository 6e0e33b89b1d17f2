"""Draw a chart of a game: the standing of every team after each action, and a band of the leading teams."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from .sheet import num
from .text import escape

WIDTH, HEIGHT = 400.0, 96.0
LEFT, RIGHT, TOP, BOTTOM = 48.0, 6.0, 6.0, 78.0  # `replay.js` uses the values of the first two
STRIP = 10.0  # height of the band of leaders
SHADES = 6  # colours of teams; the lines of further teams are dashed


class Standing(NamedTuple):
    """The standing of all teams at one moment of a game."""

    unit: str  # "points"
    teams: list[int]  # one number per team, in the order of `game.teams`
    low: bool = False  # the lowest number is ahead


def chart(standings: Sequence[Standing], teams: Sequence[str]) -> str:
    """Return an SVG with a line for each team, and a cursor (`id="cursor"`) at the first of the standings."""
    series = list(zip(*(standing.teams for standing in standings), strict=True))
    values = [value for line in series for value in line]
    low, high = min(*values, 0), max(*values, 1)
    unit = standings[0].unit
    lines = "".join(_line(line, team, low, high, len(standings)) for team, line in enumerate(series))
    return (
        f'<svg id="chart" viewBox="0 0 {num(WIDTH)} {num(HEIGHT)}" role="img" aria-label="{escape(unit)} over time">'
        f'<path class="axis" d="M{num(LEFT)} {num(TOP)}V{num(BOTTOM)}H{num(WIDTH - RIGHT)}"/>'
        f'{_label(TOP + 8, high)}{_label(BOTTOM, low)}{lines}{_strip(standings, teams)}'
        f'<path id="cursor" d="M{num(LEFT)} {num(TOP)}V{num(HEIGHT)}"/></svg>'
    )  # fmt: skip


def legend(teams: Sequence[str]) -> str:
    """Return the list items that name the team of each line."""
    swatch = '<svg viewBox="0 0 18 6" aria-hidden="true"><path class="{}" d="M0 3H18"/></svg>'
    return "".join(f"<li>{swatch.format(_kind(i))}{escape(name)}</li>" for i, name in enumerate(teams))


def leaders(standings: Sequence[Standing]) -> list[int | None]:
    """Return the leading team after each action. While the best teams are level, the last leader stays."""
    leader, leading = None, list[int | None]()
    for standing in standings:
        best = (min if standing.low else max)(standing.teams)
        if standing.teams.count(best) == 1:
            leader = standing.teams.index(best)
        leading.append(leader)
    return leading


def _kind(team: int) -> str:
    return f"c{team % SHADES}" + (" dashed" if team >= SHADES else "")


def _label(y: float, value: int) -> str:
    return f'<text x="{num(LEFT - 3)}" y="{num(y)}" font-size="15" class="soft e">{value}</text>'


def _across(ply: int, n: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * ply / max(1, n - 1)


def _line(values: Sequence[int], team: int, low: int, high: int, n: int) -> str:
    """Return a line that is level until the value changes."""
    path, ply = "", 0
    for value, run in groupby(values):
        path += f"{'V' if path else f'M{num(LEFT)} '}{num(BOTTOM - (BOTTOM - TOP) * (value - low) / (high - low))}"
        ply += len(list(run))
        path += f"H{num(_across(min(ply, n - 1), n))}"
    return f'<path class="{_kind(team)}" d="{path}"/>'


def _strip(standings: Sequence[Standing], teams: Sequence[str]) -> str:
    """Return the band of leading teams, in the colours of the teams."""
    if len(teams) == 1:
        return ""
    parts, ply, n = "", 0, len(standings)
    for leader, run in groupby(leaders(standings)):
        start, ply = ply, ply + len(list(run))
        x, end = _across(start, n), _across(min(ply, n - 1), n)
        if leader is not None:
            parts += (
                f'<rect class="{_kind(leader)}" x="{num(x)}" y="{num(HEIGHT - STRIP)}" width="{num(end - x)}" '
                f'height="{num(STRIP - 3)}"><title>{escape(teams[leader])} leads</title></rect>'
            )
    return parts
