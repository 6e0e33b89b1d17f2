"""What rules are tuned toward: figures of balance, and how far they are from what is wanted.

Distances are comparable: 0.1 is a length that is a tenth off, or a score or share that is a tenth of a point off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tantra_envs.core.game import Game

from ..balance.question import Question, places
from ..balance.questions.drama import comebacks, lead_changes
from ..balance.questions.length import cut_offs, length
from ..balance.questions.results import seats
from ..balance.questions.skill import skill
from ..harness.figures import SHARE, Sample, mean

Floats = npt.NDArray[np.float64]
Key = tuple[str, str]  # a question's title, a figure's name
EVEN = "even"
UNKNOWN = 1.0  # the distance where there was nothing to count


@dataclass(frozen=True)
class Kind:
    """Something that can be wanted: the first figures of some questions, and the least and the most of it."""

    questions: Sequence[Callable[[Game], Question]]
    least: float
    most: float
    figures: int | None = 1  # None = all
    relative: bool = False  # is a distance counted in parts of what is wanted?


@dataclass(frozen=True)
class Goal:
    """What is wanted."""

    name: str
    wanted: float
    kind: Kind

    def keys(self, game: Game) -> list[Key]:
        """The figures that should be as wanted."""
        asked = [question(game) for question in self.kind.questions]
        return [(own.title, figure.name) for own in asked for figure in own.figures[: self.kind.figures]]

    def away(self, samples: Sequence[Sample]) -> Distance:
        """How far the worst of its figures is from what is wanted."""
        unit = self.wanted if self.kind.relative else 1.0
        now, drawn = (
            np.max([np.abs(np.asarray(values) - self.wanted) / unit for values in every], axis=0)
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
        wanted = 0.5 if only_even and value == EVEN else float(value)
    except ValueError:
        wanted = np.nan
    if only_even != (value == EVEN) or not kind.least <= wanted <= kind.most:
        allowed = EVEN if only_even else f"{kind.least:g}..{kind.most:g}"
        raise ValueError(f"toward={words!r} is not allowed; allowed: {name}={allowed}")
    return Goal(name, wanted, kind)


def asked(game: Game) -> list[Question]:
    """All that goals are made of; what else balance asks of every game is told beside them."""
    kinds = dict.fromkeys(question for kind in GOALS.values() for question in kind.questions)
    return [question(game) for question in kinds]


def distances(goals: Sequence[Goal], game: Game, samples: Mapping[Key, Sample]) -> dict[str, Distance]:
    """How far each goal is from what is wanted."""
    return {goal.name: goal.away([samples[key] for key in goal.keys(game)]) for goal in goals}


def needs_two(goal: Goal) -> bool:
    """Is the goal about one agent against another?"""
    return goal.kind.questions[0] is skill


def numbered_seats(game: Game) -> Question:
    """The score of each seat by its number, which rules may treat unlike: a handicap, points at the start."""
    who = "team" if game.partners else "seat"
    numbers, scores = (places(column, len(game.teams)) for column in ("number", "score"))

    def of(number: int) -> list[pl.Expr]:
        return [pl.when(own == number).then(score) for own, score in zip(numbers, scores, strict=True)]

    figures = [mean(f"{who} with the number {i}", *of(i), bounds=SHARE) for i in range(len(game.teams))]
    return Question("Who wins with which number?", f"The score of each {who} by its number.", "score", figures)


GOALS = {
    "seats": Kind((seats, numbered_seats), 0.5, 0.5, figures=None),
    "length": Kind((length,), 1, 1e6, relative=True),
    "cut-off": Kind((cut_offs,), 0, 1),
    "skill": Kind((skill,), 0, 1),
    "comeback": Kind((comebacks,), 0, 1),
    "lead-changes": Kind((lead_changes,), 0.1, 1e6, relative=True),
}
