"""The one interface: what a position is, what may be done in it, and what each seat sees.

A game folder fills in a `Game`; environments, agents, training and benchmarks use nothing else. States are
NumPy arrays of records, shape (n,); the calls here take a batch of one, shape (1,), and `state.copy()`
copies it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from .blocks import Blocks, ViewBlocks
from .compiled.drivers import Drivers
from .options import Config, Options
from .state import States

Mask = npt.NDArray[np.int8]
View = npt.NDArray[np.float32]
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
    """What opponents need to know about a game: a module `player.py` in its folder."""

    def choose(self, game: Game, views: npt.NDArray[np.float32], masks: Mask) -> npt.NDArray[np.int64]:
        """The scripted player's actions, shape (k,), from what k seats see, (k, view.size), and may do."""
        ...

    def worth(self, game: Game, views: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """How good each table looks to the seat that sees it, shape (k,): what greedy compares."""
        ...


@dataclass(frozen=True)
class Rounds:
    """What infos tell of the rounds of a game."""

    counter: str  # the field of the state that counts finished ones
    facts: Callable[[States], dict[str, Any]]  # of the one finished last at a table (1,): numbers, words, arrays


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
    partners: Teams = ()  # seats that play together and are paid alike, a tuple for each team; () = nobody
    facts: Mapping[str, type] = field(default_factory=dict)  # fields that infos tell when a game ends
    rounds: Rounds | None = None  # what they tell when a round ends

    @property
    def players(self) -> int:
        """Seats at the table."""
        return int(self.config["players"])

    @property
    def teams(self) -> Teams:
        """The seats of every team; who plays for himself is a team of one."""
        return self.partners or tuple((seat,) for seat in range(self.players))

    def team_of(self, seat: int) -> tuple[int, ...]:
        """The seats that play together with `seat`, itself among them."""
        return next(team for team in self.teams if seat in team)

    @property
    def scripted(self) -> Player:
        """The game's own player; ValueError if nobody has written it."""
        if self.player is None:
            raise ValueError(f"{self.name}: there is no scripted or greedy player for it yet")
        return self.player

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
        state = self.blank.copy()
        if given:
            self.words.deal_given(self, state, as_seed(seed), given)
        else:
            self.drivers.deal_rows(state, _ZERO, np.array([as_seed(seed)]))
        return state

    def position(self, state: States, full: bool = False) -> Position:
        """The table as a JSON-able dict; `full` adds what rebuilds `state` byte for byte."""
        return self.words.position(self, state, full)

    def from_position(self, position: Mapping[str, Any]) -> States:
        """The table a position describes; ValueError naming the field that is wrong."""
        if not isinstance(position, Mapping):
            raise ValueError(f"position: a dict is wanted, not {type(position).__name__}")
        return self.words.from_position(self, position)

    # Play

    def mask(self, state: States) -> Mask:
        """0/1 for every action id, shape (actions.size,); all zero when the game is over."""
        mask = np.zeros(self.actions.size, np.int8)
        self.drivers.legal_row(state, 0, mask)
        return mask

    def legal(self, state: States) -> list[int]:
        """Ids of the legal actions, ascending."""
        return [int(a) for a in np.flatnonzero(self.mask(state))]

    def apply_action(self, state: States, action: int) -> None:
        """Play `action` in place and run on to the next decision; ValueError, nothing changed, if it is illegal."""
        self.check_action(state, self.mask(state), action)
        self.drivers.apply_row(state, 0, int(action))

    def check_action(self, state: States, mask: Mask, action: Any) -> None:
        """ValueError naming the action, the seat, the phase and the legal actions unless `mask` allows it."""
        whole = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
        if whole and 0 <= action < len(mask) and mask[action]:
            return
        s = state[0]
        if s["over"]:
            raise ValueError(f"{self.name}: the game is over, no action is legal; start a new one")
        raise IllegalActionError(self, _copied(state), mask.copy(), action)

    def observation(self, state: States, seat: int) -> View:
        """What `seat` sees, shape (view.size,)."""
        if seat not in range(self.players):
            raise ValueError(f"{self.name}: seat={seat!r} is not allowed; allowed: 0..{self.players - 1}")
        narrow, view = np.empty(self.view.size, self.view.dtype), np.empty(self.view.size, np.float32)
        self.drivers.observe_row(state, 0, int(seat), narrow, self.view.scale, view)
        return view

    def redeal(self, state: States, seed: int, seat: int) -> States:
        """A copy in which everything `seat` cannot know, and the random stream, is drawn again."""
        copy = _copied(state)
        self.drivers.redeal_rows(copy, np.array([as_seed(seed)]), np.array([seat]))
        return copy

    # What infos tell

    def rounds_ended(self, states: States) -> npt.NDArray[np.int64]:
        """Rounds that have ended at each table, shape (n,); zeros where infos tell nothing of rounds."""
        return states[self.rounds.counter].astype(np.int64) if self.rounds else np.zeros(len(states), np.int64)

    def news(self, state: States) -> dict[str, Any]:
        """What infos tell of a table where a round or the game has just ended: `facts`, and `last_round`."""
        ended = bool(state["over"][0])
        told: dict[str, Any] = {name: kind(state[name][0]) for name, kind in self.facts.items() if ended}
        return {**told, "last_round": self.rounds.facts(state)} if self.rounds else told

    # Words

    def action_name(self, state: States, action: int) -> str:
        """The player's words for any action id, legal now or not."""
        self.actions.at(action)
        return self.words.action_name(self, state, action)

    def parse_action(self, state: States, text: str) -> int:
        """The action id of a player's words, legal now or not; ValueError if they name no action."""
        return self.words.parse_action(self, state, " ".join(text.lower().split()))

    def picture(self, state: States, seat: int | None = None) -> str:
        """The table as text: what `seat` sees of it, or all of it."""
        return self.words.picture(self, state, seat)


class IllegalActionError(ValueError):
    """An action that is no legal one now. Its words are made when somebody reads them, as few do in training."""

    def __init__(self, game: Game, state: States, mask: Mask, action: Any) -> None:
        super().__init__()
        self._told = game, state, mask, action

    def __reduce__(self) -> tuple[Any, ...]:
        return ValueError, (str(self),)

    def __str__(self) -> str:
        game, state, mask, action = self._told
        s, legal = state[0], [int(a) for a in np.flatnonzero(mask)]
        known = isinstance(action, (int, np.integer)) and not isinstance(action, bool) and 0 <= action < len(mask)
        words = game.action_name(state, int(action)) if known else f"0..{len(mask) - 1} only"
        named = ", ".join(f"{a} ({game.action_name(state, a)})" for a in legal[:NAMED])
        more = f" and {len(legal) - NAMED} more" if len(legal) > NAMED else ""
        where = f"seat {s['seat']} in {game.phases[s['phase']]}"
        return f"{game.name}: action {action!r} ({words}) is illegal for {where}; legal: {named}{more}"


def _copied(states: States) -> States:
    """The same as `states.copy()`, which goes field by field through each record and takes fifty times as long."""
    return states.repeat(1)


def as_seed(seed: int) -> int:
    """The low 64 bits of any integer, as the signed number kernels take."""
    low = int(seed) & 0xFFFFFFFFFFFFFFFF
    return low - (1 << 64) if low >> 63 else low


def _rebuild(build: Callable[..., Game], config: Config) -> Game:
    return build(**config)


_ZERO = np.zeros(1, np.int64)
