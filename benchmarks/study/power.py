"""Compute from a pilot of few deals which differences a study would show, and how many deals smaller ones need.

An interval shrinks with the square root of the number of deals. A study finds a difference of SURE half-widths of its
95 % interval in four of five cases.
"""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import NormalDist

from rich.console import Console
from rich.table import Table

from tantra_envs.files import write_json

from ..harness.formatting import Row
from ..harness.playing import Plan
from ..harness.preparing import deals_by_agent
from . import skill
from .command import Args
from .tally import SEAT, to_act

PILOT = 100  # deals
SECTIONS = ("seats", "skill")
MEASURES = {
    SEAT.name: "the score of a seat",
    skill.SCORE.name: "the score of one agent against another",
    skill.EXPLAINED.name: "the share of the results that something explains",
}
WANTED = (0.03, 0.02, 0.01)  # differences whose deals are printed
SURE = 1 + NormalDist().inv_cdf(0.8) / NormalDist().inv_cdf(0.975)
SECONDS = "seconds.json"
FIGURE, CHANGE = "", "change of "  # how labels begin


@dataclass(frozen=True)
class Power:
    """The differences that a figure of the planned study can show."""

    label: str
    shown: float  # difference that the planned deals show in four of five studies
    deals: tuple[int, ...]  # deals for each difference of WANTED


def pilot(args: Args, fewest: int) -> Args:
    """Return the options of the pilot: few deals for every agent, and another name."""
    limits = deals_by_agent(args.agents, args.deals, fewest=fewest)
    agents = tuple(f"{agent}@{min(deals, PILOT)}" for agent, deals in limits.items())
    sections = tuple(name for name in SECTIONS if name in args.sections or not args.sections)
    if not sections:
        raise ValueError(f"sections={' '.join(args.sections)!r} is not allowed with --power; allowed: seats skill")
    name = args.name and f"{args.name}-pilot"
    return replace(args, retrain=False, agents=agents, deals=min(args.deals, PILOT), sections=sections, name=name)


@contextlib.contextmanager
def timed(folder: Path, plan: Plan) -> Iterator[None]:
    """Keep the seconds that all games of the pilot take, from those that are not played yet."""
    files = list(plan.shards())
    missing, began = sum(not file.exists() for file in files), time.perf_counter()
    yield
    if missing:
        write_json(folder / SECONDS, {"seconds": (time.perf_counter() - began) * len(files) / missing})


def powers(rows: Sequence[Row], planned: int) -> list[Power]:
    """Return the power of every figure of a pilot, and of every change; of equal labels the weakest."""
    found: dict[str, Power] = {}
    for row in rows:
        if row["measure"] in MEASURES:
            ends = {FIGURE: ("low", "high"), CHANGE: ("change_low", "change_high")}
            for words, (low, high) in ends.items():
                if row[low] is not None and row[high] > row[low]:
                    power = _power(words + _label(row), (row[high] - row[low]) / 2, row["deals"], planned)
                    found[power.label] = max(power, found.get(power.label, power), key=lambda each: each.shown)
    return list(found.values())


def _label(row: Row) -> str:
    place = to_act(row["seat"]) if row["seat"] else row["part"]
    return ", ".join(word for word in (row["measure"], row["lineup"], place) if word)


def _power(label: str, half: float, deals: int, planned: int) -> Power:
    """Return the power of a figure with an interval of this half-width after these deals."""
    one = half * SURE * math.sqrt(deals)  # shown by a single deal
    return Power(label, one / math.sqrt(planned), tuple(math.ceil((one / wanted) ** 2) for wanted in WANTED))


def write(rows: Sequence[Row], folder: Path, deals: int, planned: int) -> None:
    """Print what the planned study shows, and what smaller differences take."""
    minutes = json.loads((folder / SECONDS).read_text(encoding="utf-8"))["seconds"] / 60 / deals
    every = powers(rows, planned)
    screen = Console()
    screen = screen if screen.is_terminal else Console(width=160)
    screen.print(_table(every, planned))
    print(f"{planned:,} deals take {duration(planned * minutes)}. In four of five cases they show:")
    for measure, what in MEASURES.items():
        for kind, words in ((FIGURE, "a difference from a given number"), (CHANGE, "a change between versions")):
            if those := [power for power in every if power.label.startswith(kind + measure)]:
                worst = max(those, key=lambda power: power.shown)
                more = f"{WANTED[-1]} takes {_rounded(worst.deals[-1]):,} deals, {duration(worst.deals[-1] * minutes)}"
                print(f"- {what}: {words} of {worst.shown:.3f} or more; {more}")


def _table(every: Sequence[Power], planned: int) -> Table:
    table = Table("figure", f"shown by {planned:,} deals", *(f"deals for {wanted}" for wanted in WANTED), box=None)
    for power in every:
        table.add_row(power.label, f"{power.shown:.3f}", *(f"{_rounded(deals):,}" for deals in power.deals))
    return table


def _rounded(deals: int) -> int:
    """Return a number of deals rounded up to two digits."""
    unit: int = 10 ** max(0, len(str(deals)) - 2)
    return math.ceil(deals / unit) * unit


def duration(minutes: float) -> str:
    """Return a time in words."""
    if minutes < 1:
        return "less than a minute"
    if minutes < 1.5:
        return "about a minute"
    return f"about {minutes:.0f} minutes" if minutes < 120 else f"about {minutes / 60:.1f} hours"
