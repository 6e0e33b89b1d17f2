"""Measures: what studies count in games.

A measure is a quotient of two sums over games, `over / under`: how often something was done over how often it could be
done, or over the number of games. It has a unit, one sentence that explains it, and possibly parts (kinds of things,
or ranges of something that runs). A slope is the one other kind: how much one number rises with another.

A game says in `games/<game>/measures` what is counted in it: `points` and `UNIT` (how every team stands), `SECTIONS`
and `Behaviour` (what agents do), `sections` and `Worth` (what cards and tiles are worth), and its `ablations`.
Observers are shown every transition of recorded games and add to a `Counter`.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from .core.game import Game
from .core.observation import Observation
from .core.state import States

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
T = TypeVar("T", bound="Transitions")

SHARE = (0.0, 1.0)
GAME, TEAM = "game", "team"  # what a measure is counted over


@dataclass(frozen=True)
class Transitions:
    """One action at each of k tables: the tables before it, the action, and the tables after it."""

    game: Game
    rows: Ints  # (k,) numbers of the tables
    before: States  # (k,)
    actions: Ints  # (k,)
    after: States  # (k,)

    def __len__(self) -> int:
        return len(self.rows)

    def only(self: T, which: npt.ArrayLike) -> T:
        """Return the tables where `which` (k,) is true."""
        arrays: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(self, **{name: array[np.asarray(which)] for name, array in arrays.items() if name != "game"})

    def under(self: T, **options: int) -> T:
        """Return the same actions played under other options of the game.

        An action that ends a round also deals the next one over it. Under the option that ends the game with the round,
        `after` shows how the round ended.
        """
        after = self.before.copy()
        for name, value in options.items():
            after["opt"][name] = value
        self.game.drivers.apply_rows(after, self.k, self.actions)
        return replace(self, after=after)

    @property
    def k(self) -> Ints:
        """0 .. k - 1, to take one entry of each table: `before["hand_n"][t.k, seats]`."""
        return np.arange(len(self))

    @cached_property
    def masks(self) -> Bools:
        """The legal actions before the action, shape (k, actions)."""
        return Observation(self.game, self.before).action_mask.astype(bool)


@dataclass(frozen=True)
class AgentTransitions(Transitions):
    """One action at each of k tables where the counted agent sits."""

    seats: Ints  # (k, size of a team) the agent's seats

    @property
    def mine(self) -> Bools:
        """The tables where the agent decided, shape (k,)."""
        return np.asarray((self.before["seat"][:, None] == self.seats).any(axis=1))


@dataclass(frozen=True)
class Kinds:
    """Parts with names, drawn as dots."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Scale:
    """Ranges of something that runs, each from one of `starts` to before the next, drawn as a line."""

    label: str
    starts: tuple[int, ...]
    end: int | None = None  # one past the last range; None = the last range is open

    @property
    def names(self) -> tuple[str, ...]:
        """The ranges in words: 1, 2-4, 5+."""
        edges = self.starts if self.end is None else (*self.starts, self.end)
        closed = [f"{low}" if high == low + 1 else f"{low}-{high - 1}" for low, high in pairwise(edges)]
        return (*closed, f"{self.starts[-1]}+") if self.end is None else tuple(closed)

    def part(self, values: npt.NDArray[Any]) -> Ints:
        """Return the range of each value; values below the first range belong to the first."""
        return np.maximum(np.searchsorted(self.starts, values, side="right") - 1, 0)


@dataclass(frozen=True)
class Measure:
    """One quantity that is counted; `share`, `mean`, `per_game` and `slope` make them.

    Attributes:
        name: What is measured, with its unit where that is short ("pick-ups in a game").
        sentence: One plain sentence that explains it.
        parts: Kinds, ranges, or None.
        unit: The unit of the values.
        bounds: The least and the most a value can be, where that is known.
        even: The value that would be fair or neutral, where there is one.
        over: GAME = counted once a game; TEAM = counted for every team.
        per_game: The divisor is the number of games.
        is_slope: Values are slopes of least squares instead of quotients.
        by_seat: Studies show it seat by seat.
        compares: Studies also ask it of one agent alone among copies of another.
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
        """The names of the parts; one empty name where there are none."""
        return self.parts.names if self.parts else ("",)

    @property
    def by(self) -> str:
        """The label of the scale; empty where there is none."""
        return self.parts.label if isinstance(self.parts, Scale) else ""

    @property
    def sums(self) -> int:
        """The number of sums it is made of: over and under, or five for a slope."""
        return 5 if self.is_slope else 2


def per_game(name: str, sentence: str, parts: Kinds | Scale | None = None, **more: Any) -> Measure:
    """Return a measure of how often something happens in a game."""
    return Measure(name, sentence, parts, **{"unit": "in a game", "per_game": True, **more})


def share(name: str, sentence: str, parts: Kinds | Scale | None = None, **more: Any) -> Measure:
    """Return a measure of how often something was done, of the times it could be done."""
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
    """Measures that belong together on a page."""

    title: str
    measures: tuple[Measure, ...]


class Counter:
    """The sums of some measures in n rows: games, or teams of games."""

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

        The divisor of a measure per game is not counted: it is the game.
        """
        at = rows, np.broadcast_to(part, rows.shape)
        np.add.at(self._sums[measure][:, :, 0], at, np.broadcast_to(over, rows.shape))
        if not measure.per_game:
            np.add.at(self._sums[measure][:, :, 1], at, np.broadcast_to(under, rows.shape))

    def add_kinds(self, measure: Measure, rows: Ints, over: npt.NDArray[Any], under: npt.ArrayLike = 1) -> None:
        """Add to all parts of `measure` in some rows, from `over` (k, parts); `under` alike, or (k, 1)."""
        for part in range(over.shape[1]):
            below = np.broadcast_to(under, over.shape)[:, part]
            self.add(measure, rows, over[:, part], below, part)

    def add_pairs(self, measure: Measure, rows: Ints, x: npt.NDArray[Any], y: npt.NDArray[Any], part: int = 0) -> None:
        """Add pairs of numbers (k,), one for each row, to the sums of a slope: n, x, y, x squared, x times y."""
        ones = np.ones(len(rows))
        self._sums[measure][rows, part] += np.stack([ones, x, y, x * x, x * y], axis=1)

    def drop(self, rows: Bools, kept: Iterable[Measure]) -> None:
        """Clear some rows, where `rows` (n,) is true, in all measures but those to be `kept`."""
        for measure in self._sums.keys() - set(kept):
            self._sums[measure][rows] = 0


class BehaviourObserver(Protocol):
    """Counts what one agent does at n tables."""

    def __init__(self, game: Game, seats: Ints, plies: Ints, counter: Counter) -> None:
        """Take the agent's seats (n, size of a team) and the lengths of the games (n,)."""

    def observe(self, t: AgentTransitions) -> None:
        """Count one action at each table still going."""

    def end(self, states: States) -> None:
        """Count the last positions, shape (n,)."""


class WorthObserver:
    """Counts what cards, tiles and formations are worth; rows of its counter are teams: `places` flattened."""

    def __init__(self, game: Game, dealt: States, places: Ints, counter: Counter) -> None:
        """Take tables as dealt, and the team at each place, shape (n, teams)."""
        self._game, self._places, self._counter = game, places, counter
        self._rows = np.arange(places.size).reshape(places.shape)

    @staticmethod
    def first(dealt: States) -> Ints:
        """Return the seat at place 1 of tables as dealt, shape (n,): the seat that acts first."""
        return np.asarray(dealt["seat"], np.int64)

    def observe(self, t: Transitions) -> None:
        """Note one action at each table still going; most games need none of it."""

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
        """Add for every team: arrays (n, teams), (n, 1) or one value; only `where` it is true."""
        shape = self._places.shape
        which = np.broadcast_to(where, shape)
        counts = (np.broadcast_to(values, shape)[which] for values in (over, under, part))
        self._counter.add(measure, self._rows[which], *counts)

    def add_game(self, measure: Measure, over: npt.NDArray[Any], part: npt.ArrayLike = 0) -> None:
        """Add once for every game: `over` and `part` of shape (n,); the sums stand at place 1."""
        self._counter.add(measure, self._rows[:, 0], over, 1, part)

    def add_slope(self, measure: Measure, x: Any, y: npt.NDArray[Any], part: int, where: npt.ArrayLike = True) -> None:
        """Add the pairs x, y (n, teams) of a slope."""
        which = np.broadcast_to(where, self._places.shape)
        self._counter.add_pairs(measure, self._rows[which], np.broadcast_to(x, which.shape)[which], y[which], part)


class GameMeasures(Protocol):
    """The package `games/<game>/measures`. ONLY has the options that `Behaviour` needs, where it does not fit all."""

    UNIT: str  # of `points`
    INTRODUCTION: str  # what a reader must know about the game, in Markdown
    SECTIONS: tuple[Section, ...]  # what agents do
    Behaviour: type[BehaviourObserver]
    Worth: type[WorthObserver]

    def points(self, game: Game, states: States) -> npt.NDArray[Any]:
        """Return how every team stands, shape (k, teams), most = leading; when over, how it ended."""
        ...

    def sections(self, game: Game) -> Sequence[Section]:
        """Return the sections of `Worth`."""
        ...


def of_game(game: Game) -> GameMeasures:
    """Return the measures of a game; ValueError if it has none."""
    name = f"tantra_envs.games.{game.id}.measures"
    if importlib.util.find_spec(name) is None:
        raise ValueError(f"{game.id} has no measures; add {name.replace('.', '/')}.py")
    module: GameMeasures = importlib.import_module(name)
    return module


def why_not_counted(game: Game) -> str:
    """Return why behaviour cannot be counted in this variant; empty if it can."""
    only: Mapping[str, Any] = getattr(of_game(game), "ONLY", {})
    wrong = [f"{name}={game.config[name]!r}, counted is {value!r}" for name, value in only.items()
             if game.config[name] != value]  # fmt: skip
    return ", ".join(wrong)
