"""Report a pilot: compute which differences a study would show, and how many deals smaller ones need.

An interval shrinks with the square root of the number of deals. A study finds a difference of SURE half-widths of its
95 % interval in four of five cases.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from rich.console import Console
from rich.table import Table

from ..harness.figures import Row
from ..harness.pages import duration
from . import skill
from .experiment import Counts, Study
from .results import figures_of_study, label_of
from .tally import SEAT

MEASURES = {
    SEAT.name: "the score of a seat",
    skill.SCORE.name: "the score of one agent against another",
    skill.EXPLAINED.name: "the share of the results that something explains",
}
WANTED = (0.03, 0.02, 0.01)  # differences whose deals are printed
SURE = 1 + NormalDist().inv_cdf(0.8) / NormalDist().inv_cdf(0.975)
FIGURE, CHANGE = "", "change of "  # how labels begin


@dataclass(frozen=True)
class Power:
    """The differences that a figure of the planned study can show."""

    label: str
    shown: float  # difference that the planned deals show in four of five studies
    deals: tuple[int, ...]  # deals for each difference of WANTED


def powers(rows: Sequence[Row], planned: Mapping[str, int]) -> list[Power]:
    """Return the power of every figure of a pilot, and of every change; of equal labels the weakest.

    `planned` holds the deals of every line-up in the study.
    """
    found: dict[str, Power] = {}
    for row in rows:
        if row["measure"] in MEASURES:
            ends = {FIGURE: ("low", "high"), CHANGE: ("change_low", "change_high")}
            for words, (low, high) in ends.items():
                if row[low] is not None and row[high] > row[low]:
                    half = (row[high] - row[low]) / 2
                    power = _power(words + _label(row), half, row["deals"], planned[row["lineup"]])
                    found[power.label] = max(power, found.get(power.label, power), key=lambda each: each.shown)
    return list(found.values())


def _label(row: Row) -> str:
    return ", ".join(word for word in (row["measure"], row["lineup"], label_of(row["seat"], row["part"])) if word)


def _power(label: str, half: float, deals: int, planned: int) -> Power:
    """Return the power of a figure with an interval of this half-width after these deals."""
    one = half * SURE * math.sqrt(deals)  # shown by a single deal
    return Power(label, one / math.sqrt(planned), tuple(math.ceil((one / wanted) ** 2) for wanted in WANTED))


def write(study: Study, counts: Counts, command: str) -> None:
    """Print what the planned study shows, and what smaller differences take. A pilot writes no files."""
    rows, minutes = figures_of_study(study, counts).table.to_dicts(), counts.minutes
    every = powers(rows, {str(own.lineup): own.deals for own in minutes})
    screen = Console()
    screen = screen if screen.is_terminal else Console(width=160)
    screen.print(_table(every))
    whole = sum(minutes[own] * own.deals for own in minutes)
    print(f"Seats and skill take {duration(whole)}; other sections come on top. In four of five cases the study shows:")
    for measure, what in MEASURES.items():
        for kind, words in ((FIGURE, "a difference from a given number"), (CHANGE, "a change between versions")):
            if those := [power for power in every if power.label.startswith(kind + measure)]:
                worst = max(those, key=lambda power: power.shown)
                deals = worst.deals[-1]
                more = f"{WANTED[-1]} takes {_rounded(deals):,} deals, {duration(deals * sum(minutes.values()))}"
                print(f"- {what}: {words} of {worst.shown:.3f} or more; {more}")


def _table(every: Sequence[Power]) -> Table:
    table = Table("figure", "shown by the study", *(f"deals for {wanted}" for wanted in WANTED), box=None)
    for power in every:
        table.add_row(power.label, f"{power.shown:.3f}", *(f"{_rounded(deals):,}" for deals in power.deals))
    return table


def _rounded(deals: int) -> int:
    """Return a number of deals rounded up to two digits."""
    unit: int = 10 ** max(0, len(str(deals)) - 2)
    return math.ceil(deals / unit) * unit
