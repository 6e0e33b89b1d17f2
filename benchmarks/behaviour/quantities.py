"""What a page consists of: sections of quantities, and the counts that they are made of.

A quantity is a quotient of two counts over all games of an agent: how often it did something over how often it could,
or over the number of games. It may have parts: kinds of things, or ranges of something that runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ..harness.transitions import Ints


@dataclass(frozen=True)
class Kinds:
    """Parts told apart by name, drawn as bars."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Scale:
    """Ranges of something that runs, each from one of `starts` to before the next, drawn as a line."""

    label: str
    starts: tuple[int, ...]
    end: int | None = None  # one past the last range, which else goes on for ever

    @property
    def names(self) -> tuple[str, ...]:
        """The ranges in words: 1, 2-4, 5+"""
        edges = self.starts if self.end is None else (*self.starts, self.end)
        closed = [f"{low}" if high == low + 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
        return (*closed, f"{self.starts[-1]}+") if self.end is None else tuple(closed)

    def part(self, values: npt.NDArray[Any]) -> Ints:
        """The range of each value; what is below the first belongs to the first."""
        return np.maximum(np.searchsorted(self.starts, values, side="right") - 1, 0)


@dataclass(frozen=True)
class Quantity:
    """One thing that is counted, made by `per_game`, `share` or `mean`."""

    name: str  # with its unit, as in "pick-ups in a game"
    description: str  # one plain sentence
    parts: Kinds | Scale | None
    bounds: tuple[float, float] | None = None  # of what is averaged, where that is known
    of_games: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Of the parts; one without a name where there are none."""
        return self.parts.names if self.parts else ("",)

    @property
    def by(self) -> str:
        """What it depends on that runs; empty where there is none."""
        return self.parts.label if isinstance(self.parts, Scale) else ""


def per_game(name: str, description: str, parts: Kinds | Scale | None = None) -> Quantity:
    """How often something happens in a game."""
    return Quantity(name, description, parts, of_games=True)


def share(name: str, description: str, parts: Kinds | Scale | None = None) -> Quantity:
    """How often something was done, of the times it could be."""
    return Quantity(name, description, parts, bounds=(0.0, 1.0))


def mean(name: str, description: str, parts: Kinds | Scale | None = None) -> Quantity:
    """How large something was on average."""
    return Quantity(name, description, parts)


@dataclass(frozen=True)
class Section:
    """Quantities that belong together: one picture and one table."""

    title: str
    quantities: tuple[Quantity, ...]


class Counter:
    """The counts of some quantities at n tables."""

    def __init__(self, quantities: Iterable[Quantity], n: int) -> None:
        self.over = {quantity: np.zeros((n, len(quantity.names))) for quantity in quantities}
        self.under = {quantity: np.full(over.shape, float(quantity.of_games)) for quantity, over in self.over.items()}

    def add(
        self, quantity: Quantity, rows: Ints, over: npt.ArrayLike, under: npt.ArrayLike = 1, part: npt.ArrayLike = 0
    ) -> None:
        """Add to both counts of `quantity` at the tables `rows`; arrays (k,), or one value for all.

        Of a quantity per game `under` is not counted: it is the game.
        """
        at = rows, np.broadcast_to(part, rows.shape)
        np.add.at(self.over[quantity], at, np.broadcast_to(over, rows.shape))
        if not quantity.of_games:
            np.add.at(self.under[quantity], at, np.broadcast_to(under, rows.shape))

    def drop(self, rows: npt.NDArray[np.bool_], kept: Iterable[Quantity]) -> None:
        """Forget some tables, where `rows` (n,) is true, in all quantities but those to be `kept`."""
        for quantity in self.over.keys() - set(kept):
            self.over[quantity][rows] = 0
            self.under[quantity][rows] = 0

    def add_kinds(self, quantity: Quantity, rows: Ints, over: npt.NDArray[Any], under: npt.ArrayLike = 1) -> None:
        """Add to all parts of `quantity` at the tables `rows`, from `over` (k, parts); `under` alike, or (k, 1)."""
        for part in range(over.shape[1]):
            below = np.broadcast_to(under, over.shape)[:, part]
            self.add(quantity, rows, over[:, part], below, part)
