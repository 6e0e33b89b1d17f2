"""Read scores from records, and decide whether they are precise enough to stop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tantra_envs.matches.match import Match, join, match_of

from . import records
from .playing import Enough, Plan


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

        It looks at all matches that still have deals to play. Return None without a precision, or without such matches.
        """
        rotated = [name for name, match in self._plan.matches.items() if match.rotations is None]

        def half_width(deals: int) -> float:
            going = [name for name in rotated if self._plan.deals_of(name) > deals]
            return max((_half_width(self.match(name, deals)) for name in going), default=0.0)

        return until(precision, half_width) if rotated else None

    def _match(self, file: Path) -> Match:
        if file not in self._found:
            record = records.read(file)
            played = record.seating, record.rewards, record.plies, record.truncated
            self._found[file] = match_of(record.game, *played)
        return self._found[file]


def until(precision: float | None, half_width: Callable[[int], float]) -> Enough | None:
    """Return a function that compares the widest half interval with `precision`; None without a precision."""
    return None if precision is None else lambda deals: half_width(deals) <= precision


def _half_width(match: Match) -> float:
    score = match.score(0)
    return (score.high - score.low) / 2
