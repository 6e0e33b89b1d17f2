"""A game between people and agents: who sits where, who may do what now, and what follows from it.

Nothing here knows of threads or pages. Every change gives the session another `version`. People name the version that
they have seen, so that nobody acts on a table that has changed.

When a round of a longer game ends at a table with people, the game waits until a person asks for the next round.
"""

from __future__ import annotations

import contextlib
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..core.observation import Agent, Observation
from ..core.options import Allowed, OneOf, Within, require
from ..opponents import opponent
from ..words.english import listed
from . import ending
from .history import PERSON, SEEDS, Facts, History, deal, seat_names

ALONE = "Only one person alone with agents can do this, when the game is over."
SPEEDS: dict[str, float | None] = {"paused": None, "slow": 2.5, "normal": 0.8, "fast": 0.1}  # seconds before an action
LEVELS = {  # agents that a seat can have, and what they do
    "uniform": ("random", "plays any legal action at random"),
    "greedy": ("greedy", "takes what looks best at once"),
    "scripted": ("usual", "follows rules of thumb"),
    "learned": ("trained", "a network that has learned from many games"),
    "search": ("searching", "tries its best actions out in sampled deals, and expects rules of thumb from the others"),
    "strongest": ("strongest", "the trained one, which in most games tries its best actions out in sampled deals"),
}


class RefusedError(ValueError):
    """Raised when a person may not do something, or not now. The table has not changed."""


def allow(fits: object, why_not: str) -> None:
    """Raise RefusedError unless `fits`."""
    if not fits:
        raise RefusedError(why_not)


def allow_in(name: str, value: Any, allowed: Allowed) -> None:
    """Raise RefusedError unless a value is one of those allowed, or None, which means that it was not given."""
    allow(value is None or value in allowed, f"{name}={value!r} is not allowed; allowed: {allowed.description}")


@dataclass(eq=False)
class Person:
    """Someone who plays or watches in a browser. The token gives access to the seat."""

    name: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))


Chair = Person | Agent


class Session:
    """The game that is played at a table, and those who play it.

    Args:
        history: The game.
        chairs: The person or agent of each seat.
        watchers: People without a seat, who see all cards.
        delay: Seconds before an agent acts; None = the agents are paused.
        keep: Called with the history after every change. It may return the file of the game.
        ended: Called with the session at the end of its game; returns a message for the people.

    Attributes:
        earlier: The results of this deal against other agents.
        failed: Whether the agent to decide has failed.
        file: The file of the game.
        fresh: Whether the whole game was played here, from the deal.
        is_listed: Whether the result is in the list of best results.
        news: The message at the end of the game.
        tally: The games that were won at this table.
        trouble: What the people have to know now: an agent has failed, or the game cannot be saved.
        version: A text that differs after every change, and from those of an earlier server.
        waiting: Whether a round is over, and the next one waits for a person.

    Raises:
        ValueError: There are watchers and people with seats.
    """

    def __init__(
        self,
        history: History,
        chairs: Sequence[Chair],
        watchers: Sequence[Person] = (),
        *,
        delay: float | None = 0,
        keep: Callable[[History], Path | None] = lambda _: None,
        ended: Callable[[Session], str] = lambda _: "",
    ) -> None:
        self.game, self.chairs, self.watchers = history.game, list(chairs), list(watchers)
        if self.watchers and self.people:
            raise ValueError("watchers are not allowed at a table with people, because they see all cards")
        self.delay, self._keep, self._ended = delay, keep, ended
        self.tally = ending.Tally()
        self._room = history.facts.room
        self._took: float | None  # seconds of the game; None = its end has not been counted
        self._begin(history)

    @property
    def people(self) -> list[Person]:
        """The people at the table, by seat."""
        return [chair for chair in self.chairs if isinstance(chair, Person)]

    @property
    def readers(self) -> list[Person]:
        """Everyone with a page: the people by seat, and the watchers."""
        return [*self.people, *self.watchers]

    @property
    def agent(self) -> Agent | None:
        """The agent that has to decide now; None = nobody, or a person."""
        chair = self.chairs[self.history.state["seat"][0]]
        idle = self.history.is_over or self.failed or self.waiting or isinstance(chair, Person)
        return None if idle else chair

    @property
    def first_team(self) -> int:
        """The team of the first person, from which the tally counts the teams; 0 without people."""
        return self.game.team_numbers[self.chairs.index(self.people[0])] if self.people else 0

    @property
    def is_alone(self) -> bool:
        """Whether one person alone with agents has finished a game, and so may branch it or play it again."""
        return self.history.is_over and len(self.people) == 1

    @property
    def is_final(self) -> bool:
        """Whether the game is over and stays over. In a game for one the last actions may still be taken back."""
        return self.history.is_over and len(self.game.teams) > 1

    @property
    def seconds(self) -> float:
        """Seconds from the deal until now, or until the end of the game."""
        return time.monotonic() - self._began if self._took is None else self._took

    def seat(self, person: Person) -> int | None:
        """Return the seat of a reader; None for a watcher."""
        return self.chairs.index(person) if person in self.chairs else None

    def names(self, reader: int | None) -> list[str]:
        """Return the names of the seats for the reader in a seat; None = a watcher."""
        return seat_names(self.game, [_word(chair) for chair in self.chairs], reader)

    # The actions of a person

    def play(self, person: Person, version: str, action: int) -> None:
        """Take an action for a person who has seen `version`."""
        self._check_turn(person, version)
        self.move(action)

    def undo(self, person: Person, version: str) -> None:
        """Go back to the last decision of the person. Refuse if another person has decided since."""
        self._check_version(version)
        seat = self.seat(person)
        allow(any(past.seat == seat for past in self.history.moves), "You have no decision to undo.")
        length = self.undo_length(seat)
        if length is None:
            raise RefusedError("Another person has decided since, so you cannot undo.")
        allow(not self.is_final, "The game is over; deal a new one.")
        self._took, self.news, self.waiting = None, "", False
        self.history.back_to(length)
        self._change()

    def undo_length(self, seat: int | None) -> int | None:
        """Return the number of actions before the last decision of a seat; None = it has none that it may undo."""
        for length in range(len(self.history.moves) - 1, -1, -1):
            decider = self.history.moves[length].seat
            if decider == seat:
                return length
            if isinstance(self.chairs[decider], Person):
                return None
        return None

    def hint(self, person: Person, version: str) -> Observation:
        """Count a hint that a person may have now. Return what it may follow from."""
        self._check_turn(person, version)
        self.history.facts.hints += 1
        return self.history.observation()

    def next(self, person: Person, version: str) -> None:
        """Go on with the next round."""
        self._check_version(version)
        allow(self.waiting, "No round has just ended.")
        self.waiting = False
        self._change()

    def pace(self, person: Person, version: str, speed: str) -> None:
        """Set the speed of the agents, or pause them."""
        allow_in("speed", speed, OneOf(tuple(SPEEDS), ", ".join(SPEEDS)))
        self.delay, self.version = SPEEDS[speed], _new_version()

    def deal(self, person: Person, version: str, seed: int | None = None, seat: int | None = None) -> None:
        """Deal a new game from a random seed. A person alone with agents may choose the seed and take another seat."""
        self._check_version(version)
        allow_in("seed", seed, SEEDS)
        allow_in("seat", seat, Within(0, self.game.players - 1))
        if len(self.people) > 1:
            allow(seat is None, "Several people play, so seats cannot be changed.")
            allow(seed is None, "Several people play, so the deal is random.")
            allow(self.history.is_over, "Several people play, so you can deal again only when this game is over.")
        if seat is not None and (old := self.seat(person)) is not None:
            turns = (old - seat) % self.game.players  # all move on, so that partners stay partners
            self.chairs = [*self.chairs[turns:], *self.chairs[:turns]]
        self._begin(deal(self.game, seed))

    def same(self, person: Person, version: str, level: str) -> None:
        """Play the deal of the finished game again, with agents of another level in all seats of agents.

        Raises:
            RefusedError: The game is not over, or the person is not alone.
            ValueError: There is no such level.
        """
        self._check_version(version)
        allow(self.is_alone, ALONE)
        allow(len(self.chairs) > 1, "This table has no agents that can be changed.")
        require("level", level, level in LEVELS, ", ".join(LEVELS))
        agent, facts = opponent(level, self.game), self.history.facts
        before = dict.fromkeys(chair.name for chair in self.chairs if not isinstance(chair, Person))
        line = f"against {listed(list(before))}: {facts.verdict}"
        self.chairs = [chair if isinstance(chair, Person) else agent for chair in self.chairs]
        again = Facts(facts.deal, branch=facts.branch, repeated=True)
        self._begin(History(self.game, self.history.start, again), [*self.earlier, line])

    def branch(self, person: Person, version: str, length: int) -> None:
        """Play on from the table after the first `length` actions of the finished game, as another game."""
        self._check_version(version)
        allow(self.is_alone, ALONE)
        allow_in("length", length, Within(0, len(self.history.moves) - 1))
        self._begin(self.history.branched(length))

    def _check_version(self, version: str) -> None:
        allow(version == self.version, "The table has changed. Look at it again.")

    def _check_turn(self, person: Person, version: str) -> None:
        allow(not self.history.is_over, "The game is over; deal a new one.")
        allow(not self.waiting, "The round is over; ask for the next one.")
        allow(self.history.state["seat"][0] == self.seat(person), "It is not your turn.")
        self._check_version(version)

    # Changes of the game

    def move(self, action: int) -> None:
        """Play an action of the seat to decide. After the end of a round wait for the people."""
        self.history.play(action)
        self.waiting = bool(self.people and self.history.last_round) and not self.history.is_over
        self._change()

    def fail(self, agent: Agent) -> None:
        """Tell the people that an agent failed, but not why: the error may reveal its cards."""
        self.version, self.failed = _new_version(), True
        self.trouble = f"{agent.name} failed, see the terminal of the server. Undo, or deal again."

    def _begin(self, history: History, earlier: Sequence[str] = ()) -> None:
        """Put a game on the table. The end of a resumed game has been counted before."""
        self.history, self.earlier = history, list(earlier)
        history.facts.room = self._room
        self.fresh = not history.moves and not history.facts.branch
        self.is_listed = self.waiting = False
        self._began, self._took, self.news = time.monotonic(), 0.0 if history.is_over else None, ""
        self._change()

    def _change(self) -> None:
        """Save the changed game, and count its end."""
        self.version, self.trouble, self.failed = _new_version(), "", False
        self._note_facts()
        with self._saving():
            self.file = self._keep(self.history)
        if self.history.is_over and self._took is None:
            self._took = self.seconds
            self.tally.count(ending.places(self.game, self.history.totals), self.first_team)
            with self._saving():
                self.news = self._ended(self)

    def _note_facts(self) -> None:
        """Write who plays and how the game ended into the facts that are saved with it."""
        history, facts = self.history, self.history.facts
        facts.names, facts.seats, facts.verdict = self.names(None), [_word(chair) for chair in self.chairs], ""
        if self.is_alone:
            seat = self.chairs.index(self.people[0])
            facts.verdict = ending.verdict(self.game, history.state, history.totals, seat, self.names(seat))

    @contextlib.contextmanager
    def _saving(self) -> Iterator[None]:
        """Continue the game if a file cannot be written, or is damaged, and tell the people."""
        try:
            yield
        except (OSError, ValueError) as error:
            print(f"the game cannot be saved: {error}", file=sys.stderr)
            self.trouble = "The game continues but cannot be saved. See the terminal of the server."


def _new_version() -> str:
    return secrets.token_hex(6)


def _word(chair: Chair) -> str:
    """Return the word of a seat as in `--seats`: me, me:NAME or the name of an agent."""
    if not isinstance(chair, Person):
        return chair.name
    return f"{PERSON}:{chair.name}" if chair.name else PERSON
