"""People and agents at one table: who may do what, what each person is shown, and the agents' turns.

Everything goes through one lock. Agents think outside it, on a copy, so that no page waits for them; what they
answer counts only if nobody has changed the table meanwhile.
"""

from __future__ import annotations

import importlib
import secrets
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .. import drawing
from ..core.game import Game
from ..core.observation import Agent, Observation
from ..drawing import Move
from ..matches.playing import ask
from ..opinions import Thinker
from .advice import in_words
from .history import History

LOG = 40  # actions that a page tells
MAX_SEED = 2**31 - 1
HAS_REPLAY = hasattr(drawing, "replay")


class RefusedError(ValueError):
    """What a person asked for is not theirs to do, or not now. Nothing has changed."""


@dataclass(eq=False)
class Person:
    """Someone who plays in a browser; who knows the token sits on the chair."""

    name: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))


Chair = Person | Agent


class Table:
    """A game between `chairs`, one for each seat.

    `adviser` gives hints. `keep` is called with the history after every change, `ended` once with the table when its
    game is over. All under the lock: methods may be called from any thread.
    """

    def __init__(
        self,
        history: History,
        chairs: Sequence[Chair],
        adviser: Agent,
        *,
        delay: float = 0.8,
        keep: Callable[[History], None] = lambda _: None,
        ended: Callable[[Table], str] = lambda _: "",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.history = history
        self.chairs = list(chairs)
        self.fresh = not history.moves  # played here from the deal on
        self.hints = 0
        self._adviser, self._delay = adviser, delay
        self._keep, self._ended, self._clock = keep, ended, clock
        self._changed = threading.Condition()
        self._thinking = threading.Lock()
        self._rng = np.random.default_rng()
        self._boot = secrets.token_hex(4)  # a page of another server is out of date, whatever it counted
        self._count = 0
        self._news = ""  # of the end
        self._trouble = ""
        self._failed = False  # the agent whose turn it is
        self._began = clock()
        self._took: float | None = None
        with self._changed:
            self._after()

    @property
    def game(self) -> Game:
        """What is played."""
        return self.history.game

    @property
    def people(self) -> list[Person]:
        """Those in browsers, by seat."""
        return [chair for chair in self.chairs if isinstance(chair, Person)]

    @property
    def seconds(self) -> float:
        """Since the deal, until the end."""
        return self._clock() - self._began if self._took is None else self._took

    @property
    def version(self) -> str:
        """Another one after every change."""
        return f"{self._boot}.{self._count}"

    # What a person is shown

    def wait(self, version: str, seconds: float) -> None:
        """Until the table is no longer at `version`, or the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.version != version, seconds)

    def shown(self, person: Person, palette: str = "plain", theme: str = "auto") -> dict[str, Any]:
        """All that the page of a person is told. ValueError for a palette or theme that there is not."""
        with self._changed:
            seat, s = self._seat(person), self.history.state[0]
            over, mine = bool(s["over"]), bool(s["seat"] == seat)
            return {
                "version": self.version,
                "title": f"{self.game.title}, seat {seat}",
                "status": self._status(seat),
                "over": over,
                "yours": mine and not over,
                "svg": self._svg(seat, palette, theme),
                "actions": self._actions() if mine else [],
                "log": [self._told(past, seat) for past in self.history.moves[-LOG:]],
                "seat": seat,
                "seats": self._names(seat),
                "alone": len(self.people) == 1,
                "timer": round(self.seconds) if len(self.game.teams) == 1 and self.fresh else None,
                "replay": over and HAS_REPLAY,
            }

    def _svg(self, seat: int, palette: str, theme: str) -> str:
        last = self.history.moves[-1] if self.history.moves else None
        return drawing.draw(
            self.game,
            self.history.state,
            seat,
            last=last,
            names=self._names(seat),
            theme=theme,
            palette=palette,
            root="t",
        )

    def _actions(self) -> list[tuple[int, str]]:
        state = self.history.state
        return [(action, self.game.action_name(state, action)) for action in self.game.legal(state)]

    def _status(self, seat: int) -> str:
        s = self.history.state[0]
        if s["over"]:
            return " ".join(("The game is over.", self._news)).strip()
        if self._trouble:
            return self._trouble
        return "Your turn." if s["seat"] == seat else f"{self._names(seat)[s['seat']]} is to decide."

    def _names(self, reader: int) -> list[str]:
        """The names at the table as a seat reads them: its own is "You"."""
        return ["You" if seat == reader else self._name(seat) for seat in range(self.game.players)]

    def _name(self, seat: int) -> str:
        name = self.chairs[seat].name or "Person"
        alike = sum((chair.name or "Person") == name for chair in self.chairs)
        return f"{name} {seat}" if alike > 1 else name

    def _told(self, past: Move, reader: int) -> str:
        """An action in words, unless it was done in secret."""
        hidden = past.seat != reader and past.phase in _secret_phases(self.game)
        return f"{self._names(reader)[past.seat]}: {'decides in secret' if hidden else past.words}"

    def replay(self, person: Person) -> str:
        """The game that is over as the person's seat saw it: a page of its own."""
        with self._changed:
            seat, past = self._seat(person), self.history
            if not past.state["over"][0] or not HAS_REPLAY:
                raise RefusedError("There is a replay when the game is over.")
            start, actions, names = past.start.copy(), [taken.action for taken in past.moves], self._names(seat)
        page: str = drawing.replay(self.game, start, actions, names, seat=seat).html
        return page

    # What a person does

    def play(self, person: Person, version: str, action: int) -> None:
        """Take an action for a person who has seen `version`."""
        with self._changed:
            self._check_turn(person, version)
            self.history.play(action)
            self._after()

    def undo(self, person: Person, version: str) -> None:
        """Back to the person's own last decision. What others decided since is theirs: people cannot be taken back."""
        with self._changed:
            self._check_version(version)
            seat = self._seat(person)
            deciders = [past.seat for past in self.history.moves]
            if seat not in deciders:
                raise RefusedError("There is nothing of yours to undo.")
            length = len(deciders) - 1 - deciders[::-1].index(seat)
            if any(isinstance(self.chairs[later], Person) for later in deciders[length + 1 :]):
                raise RefusedError("Someone else has decided since; it cannot be taken back.")
            if self._took is not None:
                raise RefusedError("The game is over; deal a new one.")
            self.history.back_to(length)
            self._after()

    def hint(self, person: Person, version: str) -> dict[str, Any]:
        """What the adviser would do and why, from what the person's seat knows; asked again, it says the same."""
        with self._changed:
            self._check_turn(person, version)
            state, obs = self.history.state.copy(), self._seen()
            self.hints += 1
        adviser = Thinker(self._adviser)
        action = self._answer(adviser, obs, np.random.default_rng(int(state["plies"][0])))
        return {"action": action, "hint": in_words(self.game, state, adviser.name, action, adviser.opinions[0])}

    def deal(self, person: Person, version: str, seed: int | None = None, seat: int | None = None) -> None:
        """A new game, of `seed` or any; who is alone with agents may take another seat."""
        with self._changed:
            self._check_version(version)
            self._check_deal(seed, seat)
            if seat is not None:
                own = self._seat(person)
                self.chairs[own], self.chairs[seat] = self.chairs[seat], self.chairs[own]
            self.history.deal(secrets.randbelow(MAX_SEED) if seed is None else seed)
            self._began, self._took, self.hints, self.fresh = self._clock(), None, 0, True
            self._after()

    def _check_deal(self, seed: int | None, seat: int | None) -> None:
        if seed is not None and not 0 <= seed <= MAX_SEED:
            raise RefusedError(f"seed={seed} is not allowed; allowed: 0..{MAX_SEED}")
        if seat is not None and not 0 <= seat < self.game.players:
            raise RefusedError(f"seat={seat} is not allowed; allowed: 0..{self.game.players - 1}")
        if len(self.people) > 1:
            if seat is not None:
                raise RefusedError("Several people play: seats stay as they are.")
            if not self.history.state["over"][0]:
                raise RefusedError("Several people play: cards are dealt again when this game is over.")

    def _check_version(self, version: str) -> None:
        if version != self.version:
            raise RefusedError("The table has moved on since; look at it again.")

    def _check_turn(self, person: Person, version: str) -> None:
        if self.history.state["over"][0]:
            raise RefusedError("The game is over; deal a new one.")
        if self.history.state["seat"][0] != self._seat(person):
            raise RefusedError("It is not your turn.")
        self._check_version(version)

    def _seat(self, person: Person) -> int:
        return self.chairs.index(person)

    def _after(self) -> None:
        """Whatever was done: it is kept, and everybody who waits is told."""
        self._trouble, self._failed = "", False
        self._count += 1
        try:
            self._keep(self.history)
            if self.history.state["over"][0] and self._took is None:
                self._took = self._clock() - self._began
                self._news = self._ended(self)
        except OSError as error:  # a full disk: the game goes on, and says so
            print(f"not kept: {error}", file=sys.stderr)
            self._trouble = "The game goes on but cannot be kept: see where the server was started."
        self._changed.notify_all()

    # Agents

    def start(self) -> None:
        """Let the agents play, as long as the program runs."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            agent, obs, version = self._next()
            with self._changed:
                if self._changed.wait_for(lambda known=version: self.version != known, self._delay):  # type: ignore[misc]
                    continue
            try:
                action = self._answer(agent, obs, self._rng)
            except Exception as error:  # whatever an own agent may raise: the game stays, and people are told
                self._fail(version, agent, error)
                continue
            with self._changed:
                if self.version == version:
                    self.history.play(action)
                    self._after()

    def _next(self) -> tuple[Agent, Observation, str]:
        """Waits until it is an agent's turn: who it is, and what it sees."""
        with self._changed:
            self._changed.wait_for(lambda: self._decides() is not None)
            agent = self._decides()
            assert agent is not None
            return agent, self._seen(), self.version

    def _seen(self) -> Observation:
        """What the seat that decides sees, on a copy of the table: it may be looked at while the table goes on."""
        return Observation(self.game, self.history.state.copy(), past=self.history.past.copy())

    def _decides(self) -> Agent | None:
        s = self.history.state[0]
        chair = self.chairs[s["seat"]]
        return None if s["over"] or self._failed or isinstance(chair, Person) else chair

    def _answer(self, agent: Agent, obs: Observation, rng: np.random.Generator) -> int:
        with self._thinking:  # agents need not be made for threads
            return int(ask(agent, obs, rng)[0])

    def _fail(self, version: str, agent: Agent, error: Exception) -> None:
        """The pages hear that it failed, not why: that may tell its cards."""
        print(f"agent {agent.name!r} failed: {error!r}", file=sys.stderr)
        with self._changed:
            if self.version == version:
                self._count += 1
                self._failed = True
                self._trouble = f"{agent.name} failed, see where the server was started; undo, or deal again."
                self._changed.notify_all()


def _secret_phases(game: Game) -> frozenset[str]:
    """The phases in which others do not see what a seat does."""
    secret: frozenset[str] = importlib.import_module(f"{game.build.__module__}.drawing").SECRET
    return secret
