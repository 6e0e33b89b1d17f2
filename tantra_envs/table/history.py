"""A game from its deal to now: the start, the actions, and both as bytes to save."""

from __future__ import annotations

import calendar
import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import configuration
from ..core.asking import ask
from ..core.game import Game
from ..core.observation import Agent, Observation
from ..core.options import Within, require, require_in
from ..core.past import Past
from ..core.state import States
from ..drawing import Move, move
from ..programs.cli import check_values
from ..words.english import YOU
from .ending import points, rounds_finished

FORMAT = "tantra_envs game 1"
MAX_SEED = 2**31 - 1
SEEDS = Within(0, MAX_SEED)
OPPONENT, PARTNER = "Opponent", "Partner"  # names of agents
PERSON = "me"  # word of a seat; `me:NAME` is a person with a name


@dataclass
class Facts:
    """What a saved game contains besides its start and its actions, in JSON types. Older games lack some facts."""

    deal: int | None = None  # argument of game.new, if the game began with a deal
    seats: list[str] = field(default_factory=list)  # me, me:NAME or an agent, by seat
    names: list[str] = field(default_factory=list)  # shown names, by seat
    room: str = ""  # the table that it was played at, from which the links of its people follow
    hints: int = 0  # hints that people were given
    branch: bool = False  # whether the game began in the middle of another one
    repeated: bool = False  # whether a person had played the deal at this table before
    verdict: str = ""  # of a finished game, for its only person

    def check(self, players: int) -> None:
        """Raise ValueError unless all facts have their types, and each seat has a word and a name or none has."""
        check_values(Facts, vars(self))
        for name in ("seats", "names"):
            require(name, getattr(self, name), len(getattr(self, name)) in (0, players), f"{players} texts, or none")


class History:
    """The game at a table. Everything but its start, its moves and its facts is derived from them.

    Attributes:
        game: The game.
        start: The first position, shape (1,).
        moves: All actions so far, each with the positions before and after it.
        past: The decisions so far, for agents that infer hidden cards from them.
        facts: Where the game comes from, who plays it, and how much help people had.
    """

    def __init__(self, game: Game, start: States, facts: Facts | None = None) -> None:
        self.game, self.start = game, start
        self.moves: list[Move] = []
        self.past = Past(game, 1)
        self.facts = facts or Facts()

    @property
    def state(self) -> States:
        """The position now, shape (1,)."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return bool(self.state["over"][0])

    @property
    def totals(self) -> npt.NDArray[np.float64]:
        """The rewards so far, by seat."""
        rewards = [past.after["rewards"][0, : self.game.players] for past in self.moves]
        return np.sum(rewards, axis=0) if rewards else np.zeros(self.game.players)

    @property
    def scores(self) -> list[list[int]]:
        """The points of every team at the start, and after each finished round."""
        ends = [past.after for past in self.moves if self.ends_round(past)]
        return [points(self.game, state) for state in (self.start, *ends)]

    @property
    def last_round(self) -> list[Move]:
        """The actions of the round that the last action ended; none if it ended no round."""
        ends = [length for length, past in enumerate(self.moves, 1) if self.ends_round(past)]
        if not ends or ends[-1] < len(self.moves):
            return []
        return self.moves[ends[-2] if len(ends) > 1 else 0 :]

    def ends_round(self, past: Move) -> bool:
        """Return whether an action ended a round."""
        return rounds_finished(self.game, past.after) > rounds_finished(self.game, past.before)

    def play(self, action: int) -> None:
        """Take an action. Raise ValueError, and change nothing, if it is illegal."""
        state = self.state
        self.game.check_action(state, self.game.mask(state), action)
        self.past.note(state, np.zeros(1, np.int64), np.array([action]))
        self.moves.append(move(self.game, state, action, self.moves[-1] if self.moves else None))

    def observation(self) -> Observation:
        """Return what the seat to decide can know, on a copy of the table."""
        return Observation(self.game, self.state.copy(), past=self.past.copy())

    def ask(self, agent: Agent, rng: np.random.Generator) -> None:
        """Play the action of an agent, which sees what the seat to decide can know."""
        self.play(int(ask(agent, Observation(self.game, self.state, past=self.past), rng)[0]))

    def back_to(self, length: int) -> None:
        """Take back all actions except the first `length`."""
        del self.moves[length:]
        self.past = Past(self.game, 1)
        for past in self.moves:
            self.past.note(past.before, np.zeros(1, np.int64), np.array([past.action]))

    def copied(self) -> History:
        """Return a copy of the actions so far, to read while the game changes."""
        copy = History(self.game, self.start, replace(self.facts))
        copy.moves = list(self.moves)
        return copy

    def branched(self, length: int) -> History:
        """Return another game that begins with the first `length` actions of this one."""
        branch = History(self.game, self.start, Facts(self.facts.deal, branch=True))
        for past in self.moves[:length]:
            branch.play(past.action)
        return branch

    def save(self) -> bytes:
        """Return the game as readable bytes: its rules, start, actions and facts. They contain hidden cards."""
        content = {
            "format": FORMAT,
            "game": self.game.id,
            "config": self.game.config,
            "start": self.game.position(self.start, full=True),
            "actions": [past.action for past in self.moves],
            **asdict(self.facts),
            "over": self.is_over,
            "table": _digest(self.state),
        }
        return json.dumps(content, separators=(",", ":")).encode()


def deal(game: Game, seed: int | None = None) -> History:
    """Return a new game, dealt from `seed`; None = a random seed. Raise ValueError for a seed that is not allowed."""
    number = secrets.randbelow(MAX_SEED) if seed is None else seed
    require_in("seed", number, SEEDS)
    return History(game, game.new(number), Facts(number))


def saved_history(data: bytes) -> History:
    """Return the game of `History.save`, played again from its start.

    Raises:
        ValueError: The bytes are damaged, or something else.
    """
    try:
        saved = read_saved(data)
        game = configuration.game(saved["game"], **saved["config"])
        facts = Facts(**{fact.name: saved[fact.name] for fact in fields(Facts) if fact.name in saved})
        facts.check(game.players)
        history = History(game, game.from_position(saved["start"]), facts)
        for action in saved["actions"]:
            history.play(action)
        if _digest(history.state) != saved["table"]:
            raise ValueError("its actions do not lead to its table")
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"not a saved game, or damaged: {error}") from None
    return history


def saved_in(file: Path) -> History:
    """Return the game in a file; raise ValueError, with its name, if it holds no saved game."""
    try:
        return saved_history(file.read_bytes())
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def title(game: Game) -> str:
    """Return the title of a game for people, with the options that differ: `Karma, 3 players, copies 3`."""
    changed = game.options.changed(game.config)
    players, day = changed.pop("players", 0), puzzle_day(game)
    if day:
        return f"{game.title}, puzzle of {day}"
    mode = [changed.pop("mode")] if "mode" in changed else []
    options = [name if value is True else f"{name} {value}" for name, value in sorted(changed.items())]
    seats = [f"{players} players"] if players > 1 else []
    return ", ".join([game.title, *seats, *mode, *(option.replace("_", " ") for option in options)])


def puzzle_day(game: Game) -> str:
    """Return the date of a daily puzzle, `28 November 2026`; "" for another game."""
    if game.config.get("mode") != "daily":
        return ""
    number = game.config["seed_date"]
    month = calendar.month_name[number // 100 % 100 % 13]
    return f"{number % 100} {month} {number // 10000}"


def people_at(seats: Sequence[str]) -> list[int]:
    """Return the seats of people, by the words of all seats."""
    return [seat for seat, word in enumerate(seats) if word.partition(":")[0] == PERSON]


def seat_names(game: Game, seats: Sequence[str], reader: int | None) -> list[str]:
    """Return the names at a table for a reader, whose own seat is "You", by the words of all seats.

    If all agents at a table with a reader are the same, they are called opponents and partners.
    """
    people = people_at(seats)
    alike = reader is not None and len({word for seat, word in enumerate(seats) if seat not in people}) == 1
    names = []
    for seat, word in enumerate(seats):
        own = word.partition(":")[2] or "Person"
        agent = word if not alike else PARTNER if seat in game.team_of(reader or 0) else OPPONENT
        names.append(YOU if seat == reader else own if seat in people else agent)
    return [
        f"{name} {1 + names[:seat].count(name)}" if names.count(name) > 1 and seat != reader else name
        for seat, name in enumerate(names)
    ]


def read_saved(data: bytes) -> dict[str, Any]:
    """Return the content of a saved game without playing it. Raise ValueError if it has another format."""
    try:
        saved = json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(saved, dict) or saved.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    return saved


def _digest(state: States) -> str:
    return hashlib.sha256(state.tobytes()).hexdigest()
