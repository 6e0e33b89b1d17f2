"""The figures of a study with their 95 % intervals: a bootstrap over deals, paired between the agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ..harness.figures import Figure, Sample, quotient, samples
from .observer import columns, quantities
from .quantities import Quantity
from .study import Study

ALL = "all"  # the ranges of a quantity taken together


@dataclass(frozen=True)
class Answer:
    """A quantity, or a part of one, for every agent."""

    quantity: Quantity
    part: str  # "" where there are no parts
    samples: tuple[Sample, ...]  # in the order of the agents

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """The first agent less the second, and the ends of its interval."""
        return self.samples[0].less(self.samples[1]) if len(self.samples) > 1 else None


def answers(study: Study, counted: Mapping[str, pl.DataFrame]) -> list[Answer]:
    """All figures of a page, each with its parts in order, from the counts of every agent."""
    asked = [(quantity, name) for quantity in quantities(study.game) for name in _rows(quantity)]
    numbers = {quantity: i for i, quantity in enumerate(quantities(study.game))}
    figures = [_figure(numbers[quantity], quantity, name) for quantity, name in asked]
    found = [samples(counted[player.name], figures, study.seed) for player in study.players]
    return [Answer(quantity, name, tuple(own[i] for own in found)) for i, (quantity, name) in enumerate(asked)]


def _rows(quantity: Quantity) -> Sequence[str]:
    """Of ranges the whole, too, where that is an average over them."""
    return (ALL, *quantity.names) if quantity.by and not quantity.of_games else quantity.names


def _figure(i: int, quantity: Quantity, name: str) -> Figure:
    """A part of the quantity of number `i`, as a quotient of its counts."""
    parts = range(len(quantity.names)) if name == ALL else [quantity.names.index(name)]
    over, under = zip(*(columns(i, part) for part in parts), strict=True)
    return quotient(name, [pl.col(c) for c in over], [pl.col(c) for c in under], quantity.bounds)
