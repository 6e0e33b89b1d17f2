"""Measures: the quantities that studies count in games.

A measure is a quotient of two sums over games, `over / under`: how often something was done, divided by how often it
could be done. It has a unit, one sentence that explains it, and possibly parts (kinds of things, or ranges of a
number). The only other type is a slope: how much one number rises with another.

A game defines its measures in `games/<game>/measures`:

- `points`: the current points of every team
- `measures` and `Worth`: the value of cards and tiles

Observers get every transition of recorded games and add to a `Counter`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from .core.game import Game
from .core.state import States
from .extras import module_of

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
T = TypeVar("T", bound="Transitions")

SHARE = (0.0, 1.0)


@dataclass(frozen=True)
class Transitions:
    """One action at each of k tables, with the tables before and after it."""

    game: Game
    rows: Ints  # (k,) numbers of the tables
    before: States  # (k,)
    actions: Ints  # (k,)
    after: States  # (k,)

    def __len__(self) -> int:
        return len(self.rows)

    def only(self: T, which: npt.ArrayLike) -> T:
        """Return the transitions where `which` (k,) is true."""
        arrays: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(self, **{name: array[np.asarray(which)] for name, array in arrays.items() if name != "game"})


@dataclass(frozen=True)
class Measure:
    """One quantity that is counted. Make it with `share`, `mean`, `score` or `slope`.

    Attributes:
        name: The quantity, with its unit if that is short ("pick-ups in a game").
        sentence: One plain sentence that explains it.
        parts: Names of kinds of things, or of ranges of a number.
        unit: The unit of the values.
        bounds: The smallest and the largest possible value, if they are known.
        even: The fair or neutral value, if there is one.
        is_slope: True if values are slopes of least squares instead of quotients.
        by_seat: True if studies show it seat by seat.
        compares: True if studies also measure it for one agent among copies of another.
    """

    name: str
    sentence: str
    parts: tuple[str, ...] = ()
    unit: str = ""
    bounds: tuple[float, float] | None = None
    even: float | None = None
    is_slope: bool = False
    by_seat: bool = False
    compares: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts; one empty name if there are none."""
        return self.parts or ("",)

    @property
    def sums(self) -> int:
        """The number of sums of this measure: two (over and under), or five for a slope."""
        return 5 if self.is_slope else 2


def share(name: str, sentence: str, parts: tuple[str, ...] = (), **more: Any) -> Measure:
    """Return a measure of how often something was done, as a share of the times it could be done."""
    return Measure(name, sentence, parts, **{"unit": "share", "bounds": SHARE, **more})


def mean(name: str, sentence: str, parts: tuple[str, ...] = (), **more: Any) -> Measure:
    """Return a measure of how large something was on average."""
    return Measure(name, sentence, parts, **more)


def score(name: str, sentence: str, parts: tuple[str, ...] = (), **more: Any) -> Measure:
    """Return a measure of mean scores: 0.5 is even."""
    return Measure(name, sentence, parts, **{"unit": "score", "bounds": SHARE, "even": 0.5, **more})


def slope(name: str, sentence: str, parts: tuple[str, ...] = (), **more: Any) -> Measure:
    """Return a measure of how much the score rises with one more of something."""
    return Measure(name, sentence, parts, **{"even": 0.0, "is_slope": True, **more})


class Counter:
    """The sums of some measures in n rows. A row is a game, or a team of a game."""

    def __init__(self, measures: Iterable[Measure], n: int) -> None:
        self._sums = {measure: np.zeros((n, len(measure.names), measure.sums)) for measure in measures}

    def sums(self, measure: Measure) -> npt.NDArray[np.float64]:
        """Return the sums of a measure, shape (n, parts, 2), or (n, parts, 5) of a slope."""
        return self._sums[measure]

    def add(
        self, measure: Measure, rows: Ints, over: npt.ArrayLike, under: npt.ArrayLike = 1, part: npt.ArrayLike = 0
    ) -> None:
        """Add to both sums of `measure` in some rows; arrays (k,), or one value for all."""
        at = rows, np.broadcast_to(part, rows.shape)
        np.add.at(self._sums[measure][:, :, 0], at, np.broadcast_to(over, rows.shape))
        np.add.at(self._sums[measure][:, :, 1], at, np.broadcast_to(under, rows.shape))

    def add_pairs(self, measure: Measure, rows: Ints, x: npt.NDArray[Any], y: npt.NDArray[Any], part: int = 0) -> None:
        """Add pairs of numbers (k,), one for each row, to the sums of a slope: n, x, y, x squared, x times y."""
        ones = np.ones(len(rows))
        self._sums[measure][rows, part] += np.stack([ones, x, y, x * x, x * y], axis=1)


class WorthObserver:
    """Counts the value of cards, tiles and formations. The rows of its counter are teams: `places` flattened."""

    def __init__(self, game: Game, dealt: States, places: Ints, counter: Counter) -> None:
        """Take tables as dealt, and the team at each place, shape (n, teams)."""
        self._game, self._places, self._counter = game, places, counter
        self._rows = np.arange(places.size).reshape(places.shape)

    @staticmethod
    def first(dealt: States) -> Ints:
        """Return the seat at place 1 of tables as dealt, shape (n,): the seat that acts first."""
        return np.asarray(dealt["seat"], np.int64)

    def observe(self, t: Transitions) -> None:
        """Count one action at each table that is still running. Most games do not need this."""

    def end(self, states: States, scores: npt.NDArray[Any], finals: npt.NDArray[Any]) -> None:
        """Count finished games, given the scores and the final points by place, shapes (n, teams)."""

    def add(
        self,
        measure: Measure,
        over: npt.ArrayLike,
        where: npt.ArrayLike = True,
        part: npt.ArrayLike = 0,
        under: Any = 1,
    ) -> None:
        """Add for every team where `where` is true: arrays (n, teams), (n, 1) or one value."""
        shape = self._places.shape
        which = np.broadcast_to(where, shape)
        counts = (np.broadcast_to(values, shape)[which] for values in (over, under, part))
        self._counter.add(measure, self._rows[which], *counts)

    def add_game(self, measure: Measure, over: npt.NDArray[Any], part: npt.ArrayLike = 0) -> None:
        """Add once for every game: `over` and `part` are (n,). The sums are stored at place 1."""
        self._counter.add(measure, self._rows[:, 0], over, 1, part)

    def add_slope(self, measure: Measure, x: Any, y: npt.NDArray[Any], part: int, where: npt.ArrayLike = True) -> None:
        """Add the pairs x, y (n, teams) of a slope."""
        which = np.broadcast_to(where, self._places.shape)
        self._counter.add_pairs(measure, self._rows[which], np.broadcast_to(x, which.shape)[which], y[which], part)


class GameMeasures(Protocol):
    """The package `games/<game>/measures`."""

    Worth: type[WorthObserver]

    def points(self, game: Game, states: States) -> npt.NDArray[Any]:
        """Return the current points of every team, shape (k, teams), or the final ones; the most points lead."""
        ...

    def measures(self, game: Game) -> Sequence[Measure]:
        """Return what `Worth` counts."""
        ...


def of_game(game: Game) -> GameMeasures:
    """Return the measures of a game; raise ValueError if it has none."""
    module: Any = module_of(game, "measures")
    if module is None:
        folder = game.build.__module__.replace(".", "/")
        others = "or study only --sections agency behaviour"
        raise ValueError(f"{game.id} has no measures; add the package {folder}/measures, {others}")
    return cast(GameMeasures, module)
