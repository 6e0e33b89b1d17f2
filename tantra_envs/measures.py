"""Measures: the quantities that studies count in games.

A measure is a quotient of two sums over games, `over / under`: how often something was done, divided by how often it
could be done or by the number of games. It has a unit, one sentence that explains it, and possibly parts (kinds of
things, or ranges of a number). The only other type is a slope: how much one number rises with another.

A game defines its measures in `games/<game>/measures`:

- `points` and `UNIT`: the current points of every team
- `SECTIONS` and `Behaviour`: the actions of agents
- `sections` and `Worth`: the value of cards and tiles

Observers get every transition of recorded games and add to a `Counter`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol, TypeVar, cast

import numpy as np
import numpy.typing as npt

from .core.game import Game
from .core.observation import Observation
from .core.state import States
from .extras import module_of

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
T = TypeVar("T", bound="Transitions")

SHARE = (0.0, 1.0)
GAME, TEAM = "game", "team"  # the unit over which a measure is counted


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

    def under(self: T, **options: int) -> T:
        """Return the transitions with `after` recomputed under other options of the game.

        An action that ends a round also deals the next one, which overwrites the round. With an option that ends the
        game there, `after` shows the end of the round.
        """
        after = self.before.copy()
        for name, value in options.items():
            after["opt"][name] = value
        self.game.drivers.apply_rows(after, self.k, self.actions)
        return replace(self, after=after)

    @property
    def k(self) -> Ints:
        """0 .. k - 1, shape (k,), to index one entry of each table: `before["hand_n"][t.k, seats]`."""
        return np.arange(len(self))

    @cached_property
    def masks(self) -> Bools:
        """The legal actions before the action, shape (k, actions)."""
        return Observation(self.game, self.before).action_mask.astype(bool)


@dataclass(frozen=True)
class AgentTransitions(Transitions):
    """One action at each of k tables where the counted agent plays."""

    seats: Ints  # (k, size of a team), the seats of the agent

    @property
    def mine(self) -> Bools:
        """The tables where the agent decided, shape (k,)."""
        return np.asarray((self.before["seat"][:, None] == self.seats).any(axis=1))


@dataclass(frozen=True)
class Kinds:
    """Named parts, drawn as dots."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Scale:
    """Ranges of a number, drawn as a line. Each range goes from one of `starts` to before the next."""

    label: str
    starts: tuple[int, ...]
    end: int | None = None  # one past the last range; None = the last range is open

    @property
    def names(self) -> tuple[str, ...]:
        """The ranges as text: 1, 2-4, 5+."""
        edges = self.starts if self.end is None else (*self.starts, self.end)
        closed = [f"{low}" if high == low + 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
        return (*closed, f"{self.starts[-1]}+") if self.end is None else tuple(closed)

    def part(self, values: npt.NDArray[Any]) -> Ints:
        """Return the range of each value (n,) as its number; values below the first range belong to the first."""
        return np.maximum(np.searchsorted(self.starts, values, side="right") - 1, 0)


@dataclass(frozen=True)
class Measure:
    """One quantity that is counted. Make it with `share`, `mean`, `score`, `per_game` or `slope`.

    Attributes:
        name: The quantity, with its unit if that is short ("pick-ups in a game").
        sentence: One plain sentence that explains it.
        parts: Kinds, ranges, or None.
        unit: The unit of the values.
        bounds: The smallest and the largest possible value, if they are known.
        even: The fair or neutral value, if there is one.
        over: GAME = counted once a game; TEAM = counted for every team.
        per_game: True if the divisor is the number of games.
        is_slope: True if values are slopes of least squares instead of quotients.
        by_seat: True if studies show it seat by seat.
        compares: True if studies also measure it for one agent among copies of another.
    """

    name: str
    sentence: str
    parts: Kinds | Scale | None = None
    unit: str = ""
    bounds: tuple[float, float] | None = None
    even: float | None = None
    over: str = TEAM
    per_game: bool = False
    is_slope: bool = False
    by_seat: bool = False
    compares: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts; one empty name if there are none."""
        return self.parts.names if self.parts else ("",)

    @property
    def by(self) -> str:
        """The label of the scale; empty if there is none."""
        return self.parts.label if isinstance(self.parts, Scale) else ""

    @property
    def sums(self) -> int:
        """The number of sums of this measure: two (over and under), or five for a slope."""
        return 5 if self.is_slope else 2


def per_game(name: str, sentence: str, parts: Kinds | Scale | None = None, **more: Any) -> Measure:
    """Return a measure of how often something happens in a game."""
    return Measure(name, sentence, parts, **{"unit": "in a game", "per_game": True, **more})


def share(name: str, sentence: str, parts: Kinds | Scale | None = None, **more: Any) -> Measure:
    """Return a measure of how often something was done, as a share of the times it could be done."""
    return Measure(name, sentence, parts, **{"unit": "share", "bounds": SHARE, **more})


def mean(name: str, sentence: str, parts: Kinds | Scale | None = None, **more: Any) -> Measure:
    """Return a measure of how large something was on average."""
    return Measure(name, sentence, parts, **more)


def score(name: str, sentence: str, parts: Kinds | Scale | None = None, **more: Any) -> Measure:
    """Return a measure of mean scores: 0.5 is even."""
    return Measure(name, sentence, parts, **{"unit": "score", "bounds": SHARE, "even": 0.5, **more})


def slope(name: str, sentence: str, parts: Kinds | Scale | None = None, **more: Any) -> Measure:
    """Return a measure of how much the score rises with one more of something."""
    return Measure(name, sentence, parts, **{"even": 0.0, "is_slope": True, **more})


@dataclass(frozen=True)
class Section:
    """Measures that a page shows together."""

    title: str
    measures: tuple[Measure, ...]


class Counter:
    """The sums of some measures in n rows. A row is a game, or a team of a game."""

    def __init__(self, measures: Iterable[Measure], n: int) -> None:
        self._sums = {measure: np.zeros((n, len(measure.names), measure.sums)) for measure in measures}
        for measure, sums in self._sums.items():
            sums[:, :, 1] = float(measure.per_game)

    def sums(self, measure: Measure) -> npt.NDArray[np.float64]:
        """Return the sums of a measure, shape (n, parts, 2), or (n, parts, 5) of a slope."""
        return self._sums[measure]

    def add(
        self, measure: Measure, rows: Ints, over: npt.ArrayLike, under: npt.ArrayLike = 1, part: npt.ArrayLike = 0
    ) -> None:
        """Add to both sums of `measure` in some rows; arrays (k,), or one value for all.

        For a measure per game `under` is ignored: its divisor is the number of games.
        """
        at = rows, np.broadcast_to(part, rows.shape)
        np.add.at(self._sums[measure][:, :, 0], at, np.broadcast_to(over, rows.shape))
        if not measure.per_game:
            np.add.at(self._sums[measure][:, :, 1], at, np.broadcast_to(under, rows.shape))

    def add_kinds(self, measure: Measure, rows: Ints, over: npt.NDArray[Any], under: npt.ArrayLike = 1) -> None:
        """Add to all parts of `measure` in some rows: `over` is (k, parts); `under` too, or (k, 1), or one value."""
        for part in range(over.shape[1]):
            below = np.broadcast_to(under, over.shape)[:, part]
            self.add(measure, rows, over[:, part], below, part)

    def add_pairs(self, measure: Measure, rows: Ints, x: npt.NDArray[Any], y: npt.NDArray[Any], part: int = 0) -> None:
        """Add pairs of numbers (k,), one for each row, to the sums of a slope: n, x, y, x squared, x times y."""
        ones = np.ones(len(rows))
        self._sums[measure][rows, part] += np.stack([ones, x, y, x * x, x * y], axis=1)

    def drop(self, rows: Bools, kept: Iterable[Measure]) -> None:
        """Clear the rows where `rows` (n,) is true, in all measures except those in `kept`."""
        for measure in self._sums.keys() - set(kept):
            self._sums[measure][rows] = 0


class BehaviourObserver(Protocol):
    """Counts the actions of one agent at n tables."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        """Take the agent's seats (n, size of a team) and the lengths of the games (n,)."""

    def observe(self, t: AgentTransitions) -> None:
        """Count one action at each table that is still running."""

    def end(self, states: States) -> None:
        """Count the last positions, shape (n,)."""


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
    """The package `games/<game>/measures`. If `Behaviour` needs special options, the package also has ONLY."""

    UNIT: str  # the unit of `points`
    SECTIONS: tuple[Section, ...]  # the actions of agents
    Behaviour: type[BehaviourObserver]
    Worth: type[WorthObserver]

    def points(self, game: Game, states: States) -> npt.NDArray[Any]:
        """Return the current points of every team, shape (k, teams), or the final ones; the most points lead."""
        ...

    def sections(self, game: Game) -> Sequence[Section]:
        """Return the sections of `Worth`."""
        ...


def of_game(game: Game) -> GameMeasures:
    """Return the measures of a game; raise ValueError if it has none."""
    module: Any = module_of(game, "measures")
    if module is None:
        folder = game.build.__module__.replace(".", "/")
        raise ValueError(f"{game.id} has no measures; add the package {folder}/measures")
    return cast(GameMeasures, module)


def why_not_counted(game: Game) -> str:
    """Return why behaviour cannot be counted in this variant; empty if it can."""
    only: Mapping[str, Any] = getattr(of_game(game), "ONLY", {})
    wrong = [f"{name}={game.config[name]!r}, allowed: {value!r}" for name, value in only.items()
             if game.config[name] != value]  # fmt: skip
    return ", ".join(wrong)
