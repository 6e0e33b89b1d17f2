"""Goals of tuning: target values for figures of a study, and the distances from them.

Distances are comparable. A distance of 0.1 is a length that is 10 % off, or a score or share that is 0.1 off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tantra_envs.core.game import Game

from ..harness.figures import Sample
from ..study.skill import SCORE
from ..study.tally import COMEBACKS, CUT_OFF, LEAD_CHANGES, LENGTH, SEAT, numbered

Floats = npt.NDArray[np.float64]
Key = tuple[str, str]  # name of a measure, and its part or seat
EVEN = "even"
UNKNOWN = 1.0  # distance where nothing was counted


@dataclass(frozen=True)
class Kind:
    """A measure that can be a goal, and the range of its targets."""

    measure: str  # name of a measure; that of SEAT means all seats, by place and by number
    least: float
    most: float
    relative: bool = False  # whether a distance is divided by the target


@dataclass(frozen=True)
class Goal:
    """A target value for a measure."""

    name: str
    target: float
    kind: Kind

    def keys(self, game: Game) -> list[Key]:
        """Return the figures that should be at the target."""
        if self.kind.measure != SEAT.name:
            return [(self.kind.measure, "")]
        by_place = [(SEAT.name, f"seat {seat + 1}") for seat in range(len(game.teams))]
        return [*by_place, *((numbered(game).name, part) for part in numbered(game).names)]

    def away(self, samples: Sequence[Sample]) -> Distance:
        """Return the distance of its worst figure from the target."""
        unit = self.target if self.kind.relative else 1.0
        now, drawn = (
            np.max([np.abs(np.asarray(values) - self.target) / unit for values in every], axis=0)
            for every in ([s.value for s in samples], [s.drawn for s in samples])
        )
        return Distance(float(np.nan_to_num(now, nan=UNKNOWN)), np.nan_to_num(drawn, nan=UNKNOWN))


@dataclass(frozen=True)
class Distance:
    """The distance from a target, for all deals and for those of each resample."""

    value: float
    drawn: Floats


def read(words: str) -> Goal:
    """Return the goal of a text such as `length=120`; raise ValueError for any other."""
    name, _, value = words.partition("=")
    if name not in GOALS:
        raise ValueError(f"toward={words!r} is not allowed; allowed: {', '.join(f'{goal}=..' for goal in GOALS)}")
    kind = GOALS[name]
    only_even = name == "seats"
    try:
        target = 0.5 if only_even and value == EVEN else float(value)
    except ValueError:
        target = np.nan
    if only_even != (value == EVEN) or not kind.least <= target <= kind.most:
        allowed = EVEN if only_even else f"{kind.least:g}..{kind.most:g}"
        raise ValueError(f"toward={words!r} is not allowed; allowed: {name}={allowed}")
    return Goal(name, target, kind)


def distances(goals: Sequence[Goal], game: Game, samples: Mapping[Key, Sample]) -> dict[str, Distance]:
    """Return the distance of each goal from its target."""
    return {goal.name: goal.away([samples[key] for key in goal.keys(game)]) for goal in goals}


def needs_two(goal: Goal) -> bool:
    """Return whether the goal compares two agents."""
    return goal.kind.measure == SCORE.name


GOALS = {
    "seats": Kind(SEAT.name, 0.5, 0.5),
    "length": Kind(LENGTH.name, 1, 1e6, relative=True),
    "cut-off": Kind(CUT_OFF.name, 0, 1),
    "skill": Kind(SCORE.name, 0, 1),
    "comeback": Kind(COMEBACKS.name, 0, 1),
    "lead-changes": Kind(LEAD_CHANGES.name, 0.1, 1e6, relative=True),
}
