"""The one interface of all games: positions, legal actions, and the observation of each seat.

A game folder fills in a `Game`. Environments, agents, training and benchmarks use nothing else. States are NumPy arrays
of records, shape (n,). The methods here take a batch of one, shape (1,). `state.copy()` copies it.
"""

from __future__ import annotations

import functools
import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from .actions import ActionBlocks
from .admission import admitted, copied, one_table, read_position, remember, seats_at
from .blocks import ViewBlocks
from .compiled.drivers import Drivers
from .compiled.scratch import Scratch
from .consistency import Tables
from .features import Described, Describer, Features
from .fields import Fields
from .notation import check_deal_options
from .observers import ALL_SEATS
from .options import Allowed, Config, Options, Whole, is_whole, require, require_in
from .rules_text import read_rules
from .state import States

Mask = npt.NDArray[np.int8]
View = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
Position = dict[str, Any]
UNKNOWN_RETURNS = (-1e4, 1e4)  # of a game that does not state them
NAMED = 60  # legal actions that an error message lists
Teams = tuple[tuple[int, ...], ...]


class Words(Protocol):
    """The notation of a game: positions as dicts, and text pictures."""

    def picture(self, game: Game, state: States, seat: int | None) -> str:
        """Return the table as text: what `seat` sees, or all of it."""
        ...

    def position(self, game: Game, state: States, full: bool) -> Position:
        """Return the table as a JSON-able dict."""
        ...

    def from_position(self, game: Game, position: Mapping[str, Any]) -> States:
        """Return the table that a position describes. `Game` checks afterwards that it is possible."""
        ...

    def deal_given(self, game: Game, state: States, seed: int, given: Mapping[str, Any]) -> None:
        """Deal into `state` with fixed parts, those of `Game.deal_options`; a game without them does not need this."""
        ...


class Player(Protocol):
    """The scripted agent of a game, as a module: `agents/scripted.py` in the game's folder.

    It also has the kernels `rate`, `clock` and `standing`, which `Game.drivers` are bound to. The agent plays the first
    action that `rate` values highest. An agent that finds it faster in another way has a kernel `decide` too.
    """

    SEARCH: dict[str, Any]  # options of `search` that suit the agent

    def prepare(self, game: Game) -> npt.NDArray[np.void]:
        """Return the record that its kernels work in, shape (1,). Each thread needs its own."""
        ...

    def worth(self, game: Game, known: States) -> npt.NDArray[np.float64]:
        """Return how good each concealed table (k,) is for its observer, shape (k,). Greedy compares these values."""
        ...


@dataclass(frozen=True)
class RoundInfo:
    """How infos describe the rounds of a game."""

    counter: str  # field of the state that counts finished rounds; `rounds` in infos
    numbers: Mapping[str, str]  # numbers of the last round in infos: key and field, such as `last.scores.0`
    describe: Callable[[States], dict[str, Any]]  # returns everything about the last finished round of a table (1,)


@dataclass(frozen=True, eq=False)
class Game:
    """One configuration of one tabletop game. It is immutable: other options are another `Game`."""

    id: str  # "karma"
    version: str  # "v0"; raised when play, encodings or defaults change
    title: str
    seats: tuple[int, ...]  # numbers of seats that the rulebook allows
    options: Options
    config: Config  # the value of every option
    cutoff: str  # the option that limits the length of a game
    deal_options: tuple[str, ...]  # parts of a deal that `new` can be given instead of drawing them
    phases: tuple[str, ...]
    fields: Fields  # the fields of a state, and who may see them
    blank: States  # shape (1,): `seats` and `opt` set, nothing dealt
    actions: ActionBlocks
    view: ViewBlocks
    drivers: Drivers
    words: Words
    features: Features  # what `describe` returns about every legal action
    most_legal: int  # length of a list of legal actions in environments: see `views` in `docs/environments.md`
    build: Callable[..., Game]  # build(**config) returns this game again
    player: Player | None = None  # the scripted agent, which greedy and search need too
    partners: Teams = ()  # teams of seats that get the same rewards; () = no teams
    info_fields: tuple[str, ...] = ()  # fields of the state in infos
    result_fields: tuple[str, ...] = ()  # fields of the state in infos that stay 0 until the game ends
    rounds: RoundInfo | None = None  # how infos describe rounds, if the game has several
    returns: tuple[float, float] = UNKNOWN_RETURNS  # the lowest and the highest sum of a seat's rewards in one game
    longest: int | None = None  # the most actions of a game; None = not stated
    consistent: Callable[[Game, Tables], None] | None = None  # after `check_fields`: refuses impossible tables
    settle: Callable[[States], None] | None = None  # takes all steps without a decision, at tables from outside
    drawn_by: ClassVar[Callable[[Game, States, int | None], Any] | None] = None  # `tantra_envs.drawing` sets its `show`

    def __post_init__(self) -> None:
        remember(self)

    def __repr__(self) -> str:
        """Return the call that makes this game: its name and the options that differ from the defaults."""
        changed = self.options.changed(self.config).items()
        return f"tantra_envs.game({', '.join([repr(self.id), *(f'{name}={value!r}' for name, value in changed)])})"

    @property
    def players(self) -> int:
        """Return the number of seats at the table."""
        return int(self.config["players"])

    @property
    def teams(self) -> Teams:
        """Return the seats of every team. In a game without teams every seat is a team of one."""
        return self.partners or tuple((seat,) for seat in range(self.players))

    def team_of(self, seat: int) -> tuple[int, ...]:
        """Return the seats of the team of `seat`, with itself."""
        return next(team for team in self.teams if seat in team)

    @property
    def team_representatives(self) -> list[int]:
        """Return one seat of each team. Partners get the same reward, so it stands for the team."""
        return [team[0] for team in self.teams]

    @property
    def team_numbers(self) -> list[int]:
        """Return the index in `teams` of each seat."""
        return [self.teams.index(self.team_of(seat)) for seat in range(self.players)]

    @property
    def scripted(self) -> Player:
        """Return the game's scripted agent; raise ValueError if the game has none."""
        if self.player is None:
            raise ValueError(f"{self.name}: the game has no scripted or greedy agent yet")
        return self.player

    @property
    def rules_text(self) -> str:
        """Return the rules in plain text, without the parts that do not concern this configuration.

        The text explains every kind of action word and suffices to play, for people and language models. A game without
        a text returns its title.
        """
        home = sys.modules[self.build.__module__].__file__
        return read_rules(Path(str(home)).with_name("words") / "rules.txt", self.config) or self.title

    @property
    def name(self) -> str:
        """Return the game and its version, such as `karma_v0`."""
        return f"{self.id}_{self.version}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.build, self.options.changed(self.config))

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    # Positions

    def blanks(self, n: int) -> States:
        """Return n tables with nothing dealt, for `drivers.deal_rows`."""
        return np.repeat(self.blank, n)

    def new(self, seed: int = 0, **given: Any) -> States:
        """Return a dealt table, shape (1,).

        Args:
            seed: The seed of the deal and of the table's random stream.
            given: Parts of the deal that are fixed instead of drawn: `dealer`, `deck`, and others that the game allows.
        """
        state, low = self.blank.copy(), as_seed(seed)
        if given:
            check_deal_options(self.name, given, self.deal_options)
            self.words.deal_given(self, state, low, given)
        else:
            self.drivers.deal_rows(state, _ZERO, np.array([low]))
        return state

    def position(self, state: States, full: bool = False) -> Position:
        """Return the table as a JSON-able dict; with `full` the dict restores `state` byte for byte."""
        return self.words.position(self, one_table(self, state), full)

    def from_position(self, position: Mapping[str, Any], seed: int = 0) -> States:
        """Return the table that a position describes. Without `rng` its random stream starts from `seed`.

        Raises:
            ValueError: A field is wrong. The message names it.
        """
        return read_position(self, position, as_seed(seed))

    # Play

    def mask(self, state: States) -> Mask:
        """Return 0 or 1 for every action id, shape (actions.size,); all zero when the game is over."""
        mask = np.zeros(self.actions.size, np.int8)
        self.drivers.legal_row(one_table(self, state), 0, mask)
        return mask

    def legal(self, state: States) -> list[int]:
        """Return the ids of the legal actions, ascending."""
        return [int(a) for a in np.flatnonzero(self.mask(state))]

    def apply_action(self, state: States, action: int) -> None:
        """Play `action` in place, up to the next decision; raise ValueError, with nothing changed, if it is illegal."""
        if one_table(self, state) is not state:
            raise ValueError(f"{self.name}: the table is read-only, or no plain array: play on a copy of it")
        self.check_action(state, self.mask(state), action)
        self.drivers.apply_row(state, 0, int(action))

    def check_action(self, state: States, mask: Mask, action: Any) -> None:
        """Raise ValueError with the action, the seat, the phase and the legal actions unless `mask` allows it."""
        if is_whole(action) and 0 <= action < len(mask) and mask[action]:
            return
        if one_table(self, state)["over"][0]:
            raise ValueError(f"{self.name}: the game is over, no action is legal; start a new one")
        raise IllegalActionError(self, copied(state), mask.copy(), action)

    def observation(self, state: States, seat: int) -> View:
        """Return the observation of `seat`, shape (view.size,)."""
        self.check_seat(seat)
        narrow, view = np.empty(self.view.size, self.view.dtype), np.empty(self.view.size, np.float32)
        self.drivers.observe_row(one_table(self, state), 0, int(seat), narrow, self.view.factors, view)
        return view

    def conceal(self, states: States, seats: Any, first: Any = None) -> States:
        """Return what seats may see of tables: records (n,) in which everything else is zero.

        Args:
            states: The tables, shape (n,).
            seats: The observer of each table, shape (n,), or one for all of them.
            first: The seat from which seats are counted, likewise. None = the observer, who becomes seat 0.

        Raises:
            ValueError: These are not tables of this game, or not its seats.
        """
        tables = admitted(self, states)
        observers = seats_at(self, tables, seats)
        firsts = observers if first is None else seats_at(self, tables, first)
        known = np.zeros(len(tables), tables.dtype)
        self.drivers.conceal_rows(tables, np.arange(len(tables)), observers, firsts, known)
        return known

    def observations(self, known: States) -> View:
        """Return the float32 observations of seat 0 at concealed tables (k,), shape (k, view.size)."""
        return self.view.to_float(self.views(known)[0])

    def views(
        self, states: States, seats: npt.NDArray[Any] | int = 0, rows: Rows | None = None
    ) -> tuple[npt.NDArray[Any], Mask]:
        """Return what seats see and may do, as kernels and networks read it. The tables are not checked.

        Args:
            states: Tables, or concealed tables, shape (n,).
            seats: The seat at each of the `rows`, shape (k,), or one for all of them.
            rows: The tables to look at, shape (k,); None = all of them.

        Returns:
            Observations in whole numbers, shape (k, view.size), and masks of actions, int8, shape (k, actions.size).
        """
        rows = np.arange(len(states)) if rows is None else rows
        compact = np.empty((len(rows), self.view.size), self.view.dtype)
        masks = np.empty((len(rows), self.actions.size), np.int8)
        self.drivers.observe_rows(states, rows, np.resize(np.asarray(seats, np.int64), len(rows)), compact, masks)
        return compact, masks

    def describe(self, states: States, seats: Any = None) -> Described:
        """Return the legal actions at n tables as rows of numbers, whose columns `features` names.

        What `seats` cannot know has no effect on the numbers. A seat that is not to decide has no actions.

        Args:
            states: The tables, shape (n,). Concealed tables have the same actions and numbers.
            seats: A seat at each table, shape (n,), or one for all of them; None = the seats to decide.

        Raises:
            ValueError: These are not tables of this game, or not its seats.
        """
        tables = admitted(self, states)
        deciding = tables["seat"].astype(np.int64) if seats is None else seats_at(self, tables, seats)
        return Describer(self, len(tables))(tables, np.arange(len(tables)), deciding)

    def as_seen(self, state: States, seat: int | None) -> States:
        """Return a table (1,) for drawing: what a seat may see, seats not renumbered; None = all of it."""
        if seat is None:
            return one_table(self, state)
        self.check_seat(seat)
        return self.conceal(one_table(self, state), seat, 0)

    def redeal(self, state: States, seed: int, seat: int | None) -> States:
        """Return a copy of `state` with everything hidden from `seat` resampled, and with a new random stream.

        Args:
            state: One table, shape (1,). It is not changed.
            seed: Seed of the resampled cards and of the copy's random stream.
            seat: The observer, or None to resample only what no seat knows, such as the draw pile.

        Raises:
            ValueError: `seat` is not a seat of this game.
        """
        if seat is not None:
            self.check_seat(seat)
        observer = ALL_SEATS if seat is None else int(seat)
        copy = copied(one_table(self, state))
        self.drivers.redeal_rows(copy, np.array([as_seed(seed)]), np.array([observer]))
        return copy

    # Infos

    def episode_info(self, states: States) -> dict[str, npt.NDArray[np.int64]]:
        """Return the numbers in infos of n tables, shape (n,) each, by key.

        Games of several rounds have `rounds`, the number of finished rounds, and numbers of the last finished round.
        These mean nothing before a round has finished.
        """
        fields = {name: name for name in (*self.result_fields, *self.info_fields)}
        if self.rounds:
            fields |= {"rounds": self.rounds.counter, **self.rounds.numbers}
        return {key: _numbers(states, path) for key, path in fields.items()}

    def round_info(self, state: States) -> dict[str, Any]:
        """Return everything about the last finished round: numbers, words, and arrays by seat; {} before it."""
        if self.rounds is None or not one_table(self, state)[self.rounds.counter][0]:
            return {}
        return self.rounds.describe(state)

    # Words

    def action_name(self, state: States, action: int) -> str:
        """Return the words for any action id, legal or not; raise IndexError for an id outside the action space."""
        self.check("action", action, is_whole(action), f"0..{self.actions.size - 1}")
        return self.actions.write(one_table(self, state), int(action))

    def parse_action(self, state: States, text: str) -> int:
        """Return the action id for words, legal or not; raise ValueError if they name no action."""
        self.check("action", text, isinstance(text, str), "words, as `action_name` gives them")
        action = self.actions.read(one_table(self, state), " ".join(text.lower().split()))
        if action is None:
            raise ValueError(f"{self.name}: {text!r} names no action; actions: {self.actions.hint(state)}")
        return action

    def picture(self, state: States, seat: int | None = None) -> str:
        """Return the table as text: what `seat` sees, or all of it."""
        return self.words.picture(self, self.as_seen(one_table(self, state), seat), seat)

    def show(self, state: States, seat: int | None = None) -> Any:
        """Return the drawing of a table (1,), which notebooks display: what `seat` sees, or None = all of it.

        Raises:
            ValueError: The seat does not exist, or the game has no drawing.
        """
        drawing = type(self).drawn_by
        if drawing is None:
            raise ValueError(f"{self.name}: nothing draws tables yet; import tantra_envs.drawing")
        return drawing(self, one_table(self, state), seat)

    # Refusals: those of tables and positions are in `admission.py`

    def check(self, field: str, value: Any, fits: bool, allowed: str) -> None:
        """Raise ValueError with the field, its value and what is allowed, unless `fits`."""
        require(f"{self.name}: {field}", value, fits, allowed)

    def check_in(self, field: str, value: Any, allowed: Allowed) -> None:
        """Raise ValueError with the field, its value and what is allowed, unless that contains it."""
        require_in(f"{self.name}: {field}", value, allowed)

    @functools.cached_property
    def rules_key(self) -> bytes:
        """The options as tables hold them, in their field `opt`."""
        return self.blank["opt"].tobytes()

    def check_seat(self, seat: Any) -> int:
        """Return a seat as a Python integer; raise ValueError unless it is one of this game."""
        self.check_in("seat", seat, self._seats)
        return int(seat)

    @functools.cached_property
    def _seats(self) -> Whole:
        return Whole(0, self.players - 1)  # made once: a seat is checked at every observation


class IllegalActionError(ValueError):
    """Raised for an illegal action. The message is built lazily because training code rarely reads it."""

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


def scratch(game: Game, work: Any = None, reads_observation: bool = False) -> Scratch:
    """Return the arrays in which one thread asks an agent.

    Args:
        game: The game.
        work: The arrays that the agent works in; None = those of the game's scripted agent.
        reads_observation: True = the agent reads float observations, and not concealed records.
    """
    view, work = game.view, game.scripted.prepare(game) if work is None else work
    narrow, mask, values = (
        np.zeros(view.size, view.dtype),
        np.zeros(game.actions.size, np.int8),
        np.zeros(game.actions.size),
    )
    read = np.zeros((1, view.size), np.float32) if reads_observation else np.zeros(1, game.blank.dtype)
    return Scratch(narrow, view.factors, read, mask, values, work)


def as_seed(seed: Any) -> int:
    """Return an integer as a signed number of 64 bits; raise ValueError for other values.

    Integers with more bits are hashed: 2**64 + 5 deals another game than 5.
    """
    require("seed", seed, is_whole(seed), "an integer")
    number = int(seed)
    if not -(1 << 63) <= number < 1 << 64:
        number = int.from_bytes(hashlib.blake2b(hex(number).encode(), digest_size=8).digest(), "little")
    return number - (1 << 64) if number >> 63 > 0 else number


def _numbers(states: States, path: str) -> npt.NDArray[np.int64]:
    """Return the field `path` of each table: names separated by dots, and an index for an entry of a list."""
    found: Any = states
    for name in path.split("."):
        found = found[:, int(name)] if name.isdigit() else found[name]
    return np.array(found, np.int64)


def _rebuild(build: Callable[..., Game], config: Config) -> Game:
    return build(**config)


_ZERO = np.zeros(1, np.int64)
