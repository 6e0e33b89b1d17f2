"""The one interface: what a position is, what may be done in it, and what each seat sees.

A game folder fills in a `Game`; environments, agents, training and benchmarks use nothing else. States are
NumPy arrays of records, shape (n,); the calls here take a batch of one, shape (1,), and `state.copy()`
copies it.
"""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from .blocks import Blocks, ViewBlocks
from .compiled.drivers import Drivers, seed_streams
from .compiled.scratch import Scratch, new_scratch
from .consistency import Tables, check_header
from .fields import Fields
from .observers import ALL_SEATS
from .options import Config, Options, shown
from .rules_text import read_rules
from .state import States

Mask = npt.NDArray[np.int8]
View = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Position = dict[str, Any]
NAMED = 60  # legal actions that a refusal names
Teams = tuple[tuple[int, ...], ...]


class Words(Protocol):
    """The language of a game, plain Python at the edge: see `positions` in the documentation."""

    def action_name(self, game: Game, state: States, action: int) -> str:
        """The player's words for an action id."""
        ...

    def parse_action(self, game: Game, state: States, text: str) -> int:
        """The action id of a player's words, lower case with single blanks."""
        ...

    def picture(self, game: Game, state: States, seat: int | None) -> str:
        """The table as text, as `seat` sees it or all of it."""
        ...

    def position(self, game: Game, state: States, full: bool) -> Position:
        """The table as a JSON-able dict."""
        ...

    def from_position(self, game: Game, position: Mapping[str, Any]) -> States:
        """The table a position describes."""
        ...

    def deal_given(self, game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
        """Deal into `state` with what is given; `given` holds names of `Game.deal_options` only once checked."""
        ...


class Player(Protocol):
    """What opponents need to know about a game: a module `scripted.py` in its folder.

    Beside these it has the kernels `decide`, `rate`, `clock` and `standing`, which `Game.drivers` are bound to.
    """

    SEARCH: dict[str, Any]  # the budget of `search` that suits the player
    LOOKS_AT: Literal["known", "observation"]  # what it decides by: concealed records, or observations as networks do

    def prepare(self, game: Game) -> npt.NDArray[np.void]:
        """What its kernels work with, shape (1,): a record of its own, one for each thread."""
        ...

    def choose(self, game: Game, inputs: Any, masks: Mask, /) -> npt.NDArray[np.int64]:
        """Return the scripted agent's actions, shape (k,), for what k seats look at (k,) and their masks."""
        ...

    def worth(self, game: Game, inputs: Any, /) -> npt.NDArray[np.float64]:
        """Return how good each concealed table (k,) is for its observer, shape (k,): what greedy compares."""
        ...


class Features(Protocol):
    """Features of every legal action, for learned agents: a module `features.py` in the game's folder."""

    FEATURES: int  # numbers that describe an action
    TABLE: int  # numbers that describe a table, shared by its actions

    def describe(self, game: Game, views: View) -> tuple[Rows, Rows, View, View]:
        """Describe the actions that may be legal for k seats, from what they see, (k, view.size) float32.

        Returns:
            The rows of `views` and the ids of n actions, (n,) int64 each, ordered by row; their features
            (n, FEATURES) float32; and the features of the tables (k, TABLE) float32.
        """
        ...


@dataclass(frozen=True)
class RoundInfo:
    """What there is to tell of the rounds of a game."""

    counter: str  # the field of the state that counts finished ones: `rounds` in infos
    numbers: Mapping[str, str]  # of the one finished last, in infos: key and field of the state, as `last.scores.0`
    describe: Callable[[States], dict[str, Any]]  # all about the one finished last at a table (1,)


@dataclass(frozen=True, eq=False)
class Game:
    """One configuration of one tabletop game. Immutable: another rule is another `Game`."""

    id: str  # "karma"
    version: str  # "v0"; raised when play, encodings or defaults change
    title: str
    seats: tuple[int, ...]  # player counts the rulebook allows
    options: Options
    config: Config  # every field of `options`
    cutoff: str  # the field that limits the length of a game
    deal_options: tuple[str, ...]  # what `new` may be given instead of drawing it
    phases: tuple[str, ...]
    blank: States  # shape (1,): `seats` and `opt` set, nothing dealt
    actions: Blocks
    view: ViewBlocks
    drivers: Drivers
    words: Words
    build: Callable[..., Game]  # build(**config) makes this game again
    player: Player | None = None  # for the opponents scripted and greedy
    features: Features | None = None  # for learned agents that score actions by their features
    partners: Teams = ()  # seats that play together and are paid alike, a tuple for each team; () = nobody
    info_fields: tuple[str, ...] = ()  # fields of the state that infos tell
    result_fields: tuple[str, ...] = ()  # likewise, but they stay 0 until the game ends
    rounds: RoundInfo | None = None  # what else they tell of a game of several rounds
    consistent: Callable[[Game, Tables], None] | None = None  # refuses records that the rules cannot lead to
    fields: Fields | None = None  # the fields of a state, and who may see them

    def __post_init__(self) -> None:
        _SIZES[self.name, self.players, self.blank["opt"].tobytes()] = self._sizes

    @property
    def players(self) -> int:
        """Seats at the table."""
        return int(self.config["players"])

    @property
    def teams(self) -> Teams:
        """The seats of every team; who plays alone is a team of one."""
        return self.partners or tuple((seat,) for seat in range(self.players))

    def team_of(self, seat: int) -> tuple[int, ...]:
        """The seats that play together with `seat`, itself among them."""
        return next(team for team in self.teams if seat in team)

    @property
    def speakers(self) -> list[int]:
        """A seat of each team, whose pay is the team's: partners are paid alike."""
        return [team[0] for team in self.teams]

    @property
    def team_numbers(self) -> list[int]:
        """Which of `teams` each seat is in."""
        return [self.teams.index(self.team_of(seat)) for seat in range(self.players)]

    @property
    def scripted(self) -> Player:
        """The game's own player; ValueError if nobody has written it."""
        if self.player is None:
            raise ValueError(f"{self.name}: there is no scripted or greedy player for it yet")
        return self.player

    @property
    def rules_text(self) -> str:
        """Return the rules in plain text, as far as they concern this configuration; without a text, the title.

        It explains every kind of action word and is complete enough to play, for people and language models.
        """
        home = importlib.import_module(self.build.__module__).__file__
        return read_rules(Path(str(home)).with_name("rules.txt"), self.config) or self.title

    @property
    def name(self) -> str:
        """Game and version, as in `karma_v0`."""
        return f"{self.id}_{self.version}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.build, self.options.changed(self.config))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    # Positions

    def blanks(self, n: int) -> States:
        """n tables with nothing dealt, for `drivers.deal_rows`."""
        return np.repeat(self.blank, n)

    def new(self, seed: int = 0, **given: Any) -> States:
        """A dealt table. `given` may fix what chance would decide: `dealer`, `deck` and what the game adds."""
        state, low = self.blank.copy(), as_seed(seed)
        if given:
            self.words.deal_given(self, state, low, given)
        else:
            self.drivers.deal_rows(state, _ZERO, np.array([low]))
        return state

    def position(self, state: States, full: bool = False) -> Position:
        """The table as a JSON-able dict; `full` adds what rebuilds `state` byte for byte."""
        return self.words.position(self, self._table(state), full)

    def from_position(self, position: Mapping[str, Any], seed: int = 0) -> States:
        """The table a position describes; without `rng` it has the random stream that `seed` starts.

        ValueError naming the field that is wrong.
        """
        if not isinstance(position, Mapping):
            raise ValueError(f"position: a dict is wanted, not {type(position).__name__}")
        low = as_seed(seed)
        state = self.words.from_position(self, position)
        if position.get("rng") is None:
            state["rng"] = _stream(low)
        return state

    # Play

    def mask(self, state: States) -> Mask:
        """0/1 for every action id, shape (actions.size,); all zero when the game is over."""
        mask = np.zeros(self.actions.size, np.int8)
        self.drivers.legal_row(self._table(state), 0, mask)
        return mask

    def legal(self, state: States) -> list[int]:
        """Ids of the legal actions, ascending."""
        return [int(a) for a in np.flatnonzero(self.mask(state))]

    def apply_action(self, state: States, action: int) -> None:
        """Play `action` in place and run on to the next decision; ValueError, nothing changed, if it is illegal."""
        if self._table(state) is not state:
            raise ValueError(f"{self.name}: the table is read-only, or no plain array: play on a copy of it")
        self.check_action(state, self.mask(state), action)
        self.drivers.apply_row(state, 0, int(action))

    def check_action(self, state: States, mask: Mask, action: Any) -> None:
        """ValueError naming the action, the seat, the phase and the legal actions unless `mask` allows it."""
        if is_whole(action) and 0 <= action < len(mask) and mask[action]:
            return
        if self._table(state)["over"][0]:
            raise ValueError(f"{self.name}: the game is over, no action is legal; start a new one")
        raise IllegalActionError(self, _copied(state), mask.copy(), action)

    def observation(self, state: States, seat: int) -> View:
        """What `seat` sees, shape (view.size,)."""
        self.check_seat(seat)
        narrow, view = np.empty(self.view.size, self.view.dtype), np.empty(self.view.size, np.float32)
        self.drivers.observe_row(self._table(state), 0, int(seat), narrow, self.view.factors, view)
        return view

    def conceal(self, states: States, seats: Any, first: Any = None) -> States:
        """Return what seats may see of tables: records (n,) in which everything else is zero.

        Args:
            states: The tables, shape (n,).
            seats: The observer of each table, shape (n,), or one for all of them.
            first: The seat from which seats are counted, likewise. None = the observer, who becomes seat 0.

        Raises:
            ValueError: These are no tables of this game, or the game does not declare who sees what.
        """
        tables = self.check_states(states)
        if self.drivers.conceal_rows is None:
            raise ValueError(f"{self.name}: the game does not declare who sees what")
        every = np.arange(len(tables))
        observers = np.broadcast_to(np.asarray(seats, np.int64), every.shape).copy()
        firsts = observers if first is None else np.broadcast_to(np.asarray(first, np.int64), every.shape).copy()
        for seat in {*observers.tolist(), *firsts.tolist()}:
            self.check_seat(seat)
        known = np.zeros(len(tables), tables.dtype)
        self.drivers.conceal_rows(tables, every, observers, firsts, known)
        return known

    def as_seen(self, state: States, seat: int | None) -> States:
        """Return a table (1,) to be drawn: what a seat may see, seats as they are numbered; None = all of it."""
        if seat is None:
            return self._table(state)
        self.check_seat(seat)
        return self._table(state) if self.fields is None else self.conceal(state, seat, 0)

    def redeal(self, state: States, seed: int, seat: int | None) -> States:
        """A copy in which everything `seat` cannot know, and the random stream, is drawn again.

        seat: None = what no seat knows, such as the order of the cards to come; hands stay.
        """
        if seat is not None:
            self.check_seat(seat)
        observer = ALL_SEATS if seat is None else int(seat)
        copy = _copied(self._table(state))
        self.drivers.redeal_rows(copy, np.array([as_seed(seed)]), np.array([observer]))
        return copy

    # What infos tell

    def episode_info(self, states: States) -> dict[str, npt.NDArray[np.int64]]:
        """What infos tell of n tables: numbers (n,) under keys that are the same from the deal to the end.

        Of a game of several rounds `rounds` that are finished, and numbers of the one finished last, which mean
        nothing before.
        """
        fields = {name: name for name in (*self.result_fields, *self.info_fields)}
        if self.rounds:
            fields |= {"rounds": self.rounds.counter, **self.rounds.numbers}
        return {key: _numbers(states, path) for key, path in fields.items()}

    def round_info(self, state: States) -> dict[str, Any]:
        """All about the round finished last: numbers, words and arrays by seat. {} where there is none."""
        if self.rounds is None or not self._table(state)[self.rounds.counter][0]:
            return {}
        return self.rounds.describe(state)

    # Words

    def action_name(self, state: States, action: int) -> str:
        """The player's words for any action id, legal now or not; IndexError if there is no such id."""
        self.check("action", action, is_whole(action), f"0..{self.actions.size - 1}")
        self.actions.at(int(action))
        return self.words.action_name(self, self._table(state), int(action))

    def parse_action(self, state: States, text: str) -> int:
        """The action id of a player's words, legal now or not; ValueError if they name no action."""
        self.check("action", text, isinstance(text, str), "words, as `action_name` gives them")
        return self.words.parse_action(self, self._table(state), " ".join(text.lower().split()))

    def picture(self, state: States, seat: int | None = None) -> str:
        """The table as text: what `seat` sees of it, or all of it."""
        return self.words.picture(self, self.as_seen(self._table(state), seat), seat)

    def show(self, state: States, seat: int | None = None) -> Any:
        """Return the drawing of a table (1,), which notebooks display: what `seat` sees, or None = all of it.

        Raises:
            ValueError: There is no such seat, or no drawing of the game.
        """
        return _DRAWN_BY[-1](self, self._table(state), seat)

    # Refusals

    def check(self, field: str, value: Any, fits: bool, allowed: str) -> None:
        """ValueError naming the field, its value and what is allowed, unless it `fits`."""
        if not fits:
            raise ValueError(f"{self.name}: {field}={shown(value)} is not allowed; allowed: {allowed}")

    def check_states(self, states: Any) -> States:
        """Return tables (n,) as compiled code may read them: as they are, or copied if they lie oddly in memory.

        ValueError if they are no tables, or if one of them was dealt under rules with other actions or observations
        than this game has: compiled code would write beyond its arrays. Their cards are not looked at: see
        `check_consistent`.
        """
        if not isinstance(states, np.ndarray) or states.ndim != 1 or states.dtype != self.blank.dtype:
            given = _kind_of(states)
            raise ValueError(f"{self.name}: {given} is no table of this game; wanted: an array (n,) that `new` began")
        plain = type(states) is np.ndarray and states.flags.carray
        tables = states if plain else np.array(states)
        if (tables["seats"] != self.players).any() or not self._fit(tables):
            raise ValueError(f"{self.name}: these tables were dealt under other rules than the game has")
        return tables

    def check_consistent(self, states: Any) -> None:
        """Raise ValueError unless tables (n,) are ones that this very game can have, so that kernels may read them.

        Whatever comes from outside as records, such as saved tables, is checked by this before it is used.
        """
        tables = Tables(self.name, self.check_states(states))
        check_header(tables, self.blank, self.players, self.phases)
        if self.consistent is not None:
            self.consistent(self, tables)
        self._check_decisions(tables)

    def _check_decisions(self, tables: Tables) -> None:
        """Require a legal action wherever the game goes on."""
        rows, masks = np.arange(tables.n), np.empty((tables.n, self.actions.size), np.int8)
        views = np.empty((tables.n, self.view.size), self.view.dtype)
        self.drivers.observe_rows(tables.states, rows, tables["seat"].astype(np.int64), views, masks)
        tables.require(masks.any(axis=1) | (tables["over"] == 1), "no action is legal, and the game goes on")

    def _fit(self, tables: States) -> bool:
        """Return whether the rules in each table have as many actions and as large an observation as this game."""
        rules, own = _rules_of(tables), _rules_of(self.blank)
        if (rules == own).all():  # nearly always, and asked before every decision of an agent
            return True
        others = rules[(rules != own).any(axis=1)]
        sizes = (_SIZES.get((self.name, self.players, row.tobytes())) for row in np.unique(others, axis=0))
        return all(size == self._sizes for size in sizes)

    @property
    def _sizes(self) -> tuple[int, int]:
        return self.actions.size, self.view.size

    def _table(self, state: States) -> States:
        """The single table that a call is about."""
        table = self.check_states(state)
        if len(table) != 1:
            raise ValueError(f"{self.name}: {len(table)} tables are given, one is wanted: states[i : i + 1]")
        return table

    def check_seat(self, seat: Any) -> int:
        """Return a seat as a Python integer; raise ValueError unless it is one of this game."""
        self.check("seat", seat, is_whole(seat) and 0 <= seat < self.players, f"0..{self.players - 1}")
        return int(seat)


class IllegalActionError(ValueError):
    """An action that is no legal one now. Its words are made when somebody reads them, as few do in training."""

    def __init__(self, game: Game, state: States, mask: Mask, action: Any) -> None:
        super().__init__()
        self._refused = game, state, mask, action

    def __reduce__(self) -> tuple[Any, ...]:
        return IllegalActionError, self._refused

    def __str__(self) -> str:
        game, state, mask, action = self._refused
        s, legal = state[0], [int(a) for a in np.flatnonzero(mask)]
        known = is_whole(action) and 0 <= action < len(mask)
        words = game.action_name(state, int(action)) if known else f"0..{len(mask) - 1} only"
        named = ", ".join(f"{a} ({game.action_name(state, a)})" for a in legal[:NAMED])
        more = f" and {len(legal) - NAMED} more" if len(legal) > NAMED else ""
        where = f"seat {s['seat']} in {game.phases[s['phase']]}"
        return f"{game.name}: action {action!r} ({words}) is illegal for {where}; legal: {named}{more}"


def scratch(game: Game) -> Scratch:
    """Return the arrays in which one thread asks the game's scripted agent."""
    state, view = game.blank.dtype, game.view
    return new_scratch(state, view.dtype, view.factors, game.actions.size, game.scripted.prepare(game))


def _copied(states: States) -> States:
    """The same as `states.copy()`, which goes field by field through each record and takes fifty times as long."""
    return states.repeat(1)


def is_whole(value: Any) -> bool:
    """Is it an integer, of Python or NumPy? True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.timedelta64))


def as_seed(seed: Any) -> int:
    """The low 64 bits of any integer, as the signed number kernels take; ValueError if it is none."""
    if not is_whole(seed):
        raise ValueError(f"seed={seed!r} is not allowed; allowed: an integer")
    low = int(seed) & 0xFFFFFFFFFFFFFFFF
    return low - (1 << 64) if low >> 63 else low


def _kind_of(value: Any) -> str:
    """What is told of a value that has no place here: `int8 of shape (3,)`, `list`."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype.type.__name__} of shape {value.shape}"
    return type(value).__name__


def _stream(seed: int) -> npt.NDArray[np.int64]:
    """The random stream that `seed` starts, shape (1, 4)."""
    stream = np.zeros((1, 4), np.int64)
    seed_streams(stream, seed)
    return stream


def _rules_of(states: States) -> npt.NDArray[Any]:
    """Return the bytes of `opt` in each table (n,), as rows of the widest integers that begin and end where it does."""
    numbers, columns = _place_of_rules(states.dtype)
    rows = states.view(numbers).reshape(len(states), states.dtype.itemsize // numbers.itemsize)
    rules: npt.NDArray[Any] = rows[:, columns]
    return rules


@functools.cache
def _place_of_rules(record: np.dtype[Any]) -> tuple[np.dtype[Any], slice]:
    """Return the integers that a record is read as, and which of them are `opt`."""
    dtype, at = dict(record.fields or {})["opt"][:2]
    width = math.gcd(8, at, dtype.itemsize, record.itemsize)
    return np.dtype(f"i{width}"), slice(at // width, (at + dtype.itemsize) // width)


def _numbers(states: States, path: str) -> npt.NDArray[np.int64]:
    """The field `path` of each table: names with dots between, an index for one entry of a list."""
    found: Any = states
    for name in path.split("."):
        found = found[:, int(name)] if name.isdigit() else found[name]
    return np.array(found, np.int64)


def _rebuild(build: Callable[..., Game], config: Config) -> Game:
    return build(**config)


def draw_with(show: Callable[[Game, States, int | None], Any]) -> None:
    """Let `Game.show` call `show`. The package `drawing` does so when it is imported; the core does not know it."""
    _DRAWN_BY.append(show)


_DRAWN_BY: list[Callable[[Game, States, int | None], Any]] = []
# How many actions and numbers of an observation the rules of every game built so far have, by the bytes of `opt`.
_SIZES: dict[tuple[str, int, bytes], tuple[int, int]] = {}
_ZERO = np.zeros(1, np.int64)
