"""The goals of tuning: figures of a study, and how far they are from what is wanted.

Distances are comparable: 0.1 is a length that is a tenth off, or a score or share that is a tenth of a point off.
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
Key = tuple[str, str]  # the name of a measure, its part or seat
EVEN = "even"
UNKNOWN = 1.0  # the distance where there was nothing to count


@dataclass(frozen=True)
class Kind:
    """Something that can be wanted of a measure, and the least and the most of it."""

    measure: str  # the name of a measure; that of SEAT stands for all seats, by place and by number
    least: float
    most: float
    relative: bool = False  # is a distance counted in parts of what is wanted?


@dataclass(frozen=True)
class Goal:
    """What is wanted."""

    name: str
    target: float
    kind: Kind

    def keys(self, game: Game) -> list[Key]:
        """Return the figures that should be as wanted."""
        if self.kind.measure != SEAT.name:
            return [(self.kind.measure, "")]
        by_place = [(SEAT.name, f"seat {seat + 1}") for seat in range(len(game.teams))]
        return [*by_place, *((numbered(game).name, part) for part in numbered(game).names)]

    def away(self, samples: Sequence[Sample]) -> Distance:
        """How far the worst of its figures is from what is wanted."""
        unit = self.target if self.kind.relative else 1.0
        now, drawn = (
            np.max([np.abs(np.asarray(values) - self.target) / unit for values in every], axis=0)
            for every in ([s.value for s in samples], [s.drawn for s in samples])
        )
        return Distance(float(np.nan_to_num(now, nan=UNKNOWN)), np.nan_to_num(drawn, nan=UNKNOWN))


@dataclass(frozen=True)
class Distance:
    """How far from what is wanted, by all deals and by those of each resample."""

    value: float
    drawn: Floats


def read(words: str) -> Goal:
    """The goal in words, as `length=120`; ValueError for any other."""
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
    """How far each goal is from what is wanted."""
    return {goal.name: goal.away([samples[key] for key in goal.keys(game)]) for goal in goals}


def needs_two(goal: Goal) -> bool:
    """Is the goal about one agent against another?"""
    return goal.kind.measure == SCORE.name


GOALS = {
    "seats": Kind(SEAT.name, 0.5, 0.5),
    "length": Kind(LENGTH.name, 1, 1e6, relative=True),
    "cut-off": Kind(CUT_OFF.name, 0, 1),
    "skill": Kind(SCORE.name, 0, 1),
    "comeback": Kind(COMEBACKS.name, 0, 1),
    "lead-changes": Kind(LEAD_CHANGES.name, 0.1, 1e6, relative=True),
}
