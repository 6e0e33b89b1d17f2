"""What records say about scores, and whether that is precise enough to stop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tantra_envs.matches.match import Match, join, match_of

from . import records
from .playing import Enough, Plan


class Scores:
    """The matches of a plan, from their records; each is read but once."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._found: dict[Path, Match] = {}

    def match(self, name: str, deals: int) -> Match:
        """The first deals of a match that was played once for every rotation."""
        return join([self._match(file) for file in self._plan.files(name, deals)])

    def precise(self, precision: float | None) -> Enough | None:
        """Tells when the score of who is alone is known to plus or minus `precision` in all matches still going."""
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
    """Tells when the widest half interval after so many deals is within `precision`; None where there is none."""
    return None if precision is None else lambda deals: half_width(deals) <= precision


def _half_width(match: Match) -> float:
    score = match.score(0)
    return (score.high - score.low) / 2
