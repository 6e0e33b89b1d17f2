"""Read scores and the usage of programs from records, and decide whether scores are precise enough to stop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.table import Table

from tantra_envs.adapters.programs import COUNTS, share_drawn
from tantra_envs.matches.match import Match, join, match_of

from . import records
from .playing import PROGRAMS, Enough, Plan
from .shards import Usage

ROWS = (
    "decisions in all",
    "characters sent",
    "characters received",
    "seconds",
    "illegal replies",
    "actions drawn",
    "lines dropped",
)


class Scores:
    """The matches of a plan, read from their records. Each record is read only once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._found: dict[Path, Match] = {}

    def match(self, name: str, deals: int) -> Match:
        """Return the first `deals` deals of a match in which every deal was played with all rotations."""
        return join([self._match(file) for file in self._plan.files(name, deals)])

    def precise(self, precision: float | None) -> Enough | None:
        """Return a function that checks whether the lone agents' scores are known to plus or minus `precision`.

        It looks at all matches that still have deals to play. Return None without a precision.
        """

        def half_width(deals: int) -> float:
            going = [name for name in self._plan.matches if self._plan.deals_of(name) > deals]
            scores = [self.match(name, deals).score(0) for name in going]
            return max(((score.high - score.low) / 2 for score in scores), default=0.0)

        return until(precision, half_width)

    def _match(self, file: Path) -> Match:
        if file not in self._found:
            record = records.read(file)
            played = record.seating, record.rewards, record.plies, record.truncated
            self._found[file] = match_of(record.game, *played)
        return self._found[file]


def usage(plan: Plan, names: Iterable[str], deals: int) -> Usage:
    """Return the number of decisions of every agent that is a program, and all other counts for each decision.

    They are those of the first `deals` deals of the matches `names`.
    """
    counts: dict[str, Counter[str]] = {}
    for file in (file for name in names for file in plan.files(name, deals)):
        for agent, used in records.read_label(file).get(PROGRAMS, {}).items():
            counts.setdefault(agent, Counter()).update(used)
    return {agent: _per_decision(used) for agent, used in counts.items()}


def _per_decision(used: Counter[str]) -> dict[str, float]:
    decisions = used["decisions"]
    return {**{name: used[name] / max(decisions, 1) for name in COUNTS}, "decisions": decisions}


def usage_table(programs: Usage) -> Table:
    """Return the table of programs for the screen."""
    table = Table("per decision", *programs)
    for name, words, places in zip(COUNTS, ROWS, (0, 0, 0, 3, 3, 3, 3), strict=True):
        table.add_row(words, *(f"{used[name]:,.{places}f}" for used in programs.values()))
    return table


def with_drawn(names: Iterable[str], programs: Usage) -> list[str]:
    """Return the names of agents, those of programs with the share of their decisions that were drawn at random."""
    shares = {name: f" ({share_drawn(used['drawn'])} drawn)" for name, used in programs.items()}
    return [f"{name}{shares.get(name, '')}" for name in names]


def until(precision: float | None, half_width: Callable[[int], float]) -> Enough | None:
    """Return a function that compares the widest half interval with `precision`; None without a precision."""
    return None if precision is None else lambda deals: half_width(deals) <= precision
