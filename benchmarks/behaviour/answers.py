"""The figures of a study with their 95 % intervals: a bootstrap over deals.

Differences are paired over the deals that both agents played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from ..harness.figures import Figure, Sample, quotient, samples
from .observer import columns, quantities
from .quantities import Quantity
from .study import Study

ALL = "all"  # the ranges of a quantity taken together

Difference = tuple[float, float, float]  # and the ends of its interval


@dataclass(frozen=True)
class Answer:
    """A quantity, or a part of one, for every agent."""

    quantity: Quantity
    part: str  # "" where there are no parts
    samples: tuple[Sample, ...]  # in the order of the agents
    differences: tuple[Difference, ...]  # in the order of `pairs`


def pairs(agents: int) -> list[tuple[int, int]]:
    """Who is compared with whom, by number: the first with the second, and of four or more the third with it, too."""
    return [(0, 1), (2, 1)][: max(0, agents // 2)]


def answers(study: Study, counted: Mapping[str, pl.DataFrame]) -> list[Answer]:
    """All figures of a page, each with its parts in order, from the counts of every agent."""
    asked = [(quantity, name) for quantity in quantities(study.game) for name in _rows(quantity)]
    numbers = {quantity: i for i, quantity in enumerate(quantities(study.game))}
    figures = [_figure(numbers[quantity], quantity, name) for quantity, name in asked]
    tables = [counted[player.name] for player in study.players]
    found = [samples(table, figures, study.seed) for table in tables]
    less = [_differences(tables[a], tables[b], figures, study.seed) for a, b in pairs(len(tables))]
    return [
        Answer(quantity, name, tuple(own[i] for own in found), tuple(own[i] for own in less))
        for i, (quantity, name) in enumerate(asked)
    ]


def _differences(one: pl.DataFrame, other: pl.DataFrame, figures: Sequence[Figure], seed: int) -> list[Difference]:
    """Of every figure, over the deals of both."""
    common = [
        mine.join(theirs.select("deal").unique(), on="deal", how="semi")
        for mine, theirs in ((one, other), (other, one))
    ]
    mine, theirs = (samples(table, figures, seed) for table in common)
    return [a.less(b) for a, b in zip(mine, theirs, strict=True)]


def _rows(quantity: Quantity) -> Sequence[str]:
    """Of ranges the whole, too, where that is an average over them."""
    return (ALL, *quantity.names) if quantity.by and not quantity.of_games else quantity.names


def _figure(i: int, quantity: Quantity, name: str) -> Figure:
    """A part of the quantity of number `i`, as a quotient of its counts."""
    parts = range(len(quantity.names)) if name == ALL else [quantity.names.index(name)]
    over, under = zip(*(columns(i, part) for part in parts), strict=True)
    return quotient(name, [pl.col(c) for c in over], [pl.col(c) for c in under], quantity.bounds)
