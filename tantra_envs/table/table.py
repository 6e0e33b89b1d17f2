"""A table as the server knows it: a session, the agents that play in it, and those that advise its people.

One lock protects the session. Agents that advise think outside it, on a copy, and one at a time.
"""

from __future__ import annotations

import contextlib
import threading
from typing import Any

import numpy as np

from ..core.observation import Agent
from ..core.opinions import Adviser, Opinion
from .advice import advise
from .history import History
from .reader import Reader, Shown
from .replays import judged, replay_of
from .review import review
from .runner import Runner
from .session import Person, RefusedError, Session, allow


class Table:
    """What people do at a table and are shown. Methods may be called from any thread.

    Args:
        session: The game and those who play it.
        adviser: The agent that judges the actions of a replay, if it rates actions.
        hinter: The agent that gives hints.
    """

    def __init__(self, session: Session, adviser: Agent, hinter: Agent) -> None:
        self.session, self.runner = session, Runner(session)
        self.judge = adviser if isinstance(adviser, Adviser) else None
        self._hinter = hinter
        self._opinions: dict[bytes, dict[int, Opinion]] = {}  # on the game that is over
        self._thinking = threading.Lock()  # advisers need not be safe for threads

    def act(self, person: Person, do: str, **wish: Any) -> dict[str, Any]:
        """Carry out an action of a person, by the name of its method. Return a hint if it is asked for, else {}."""
        if do == "hint":
            return self._hint(person, **wish)
        with self.runner.changing():
            getattr(self.session, do)(person, **wish)
        return {}

    def _hint(self, person: Person, version: str) -> dict[str, Any]:
        """Return the best action and its reasons, from what the person's seat can know; repeatable.

        The agent that gives the hint stops early when the table changes or another hint is wanted.
        """
        with self.runner.lock:
            obs, reader = self.session.hint(person, version), Reader(self.session, person)
            state, number = self.session.history.state, self.session.history.facts.hints

        def stopped() -> bool:
            return (self.session.history.facts.hints, self.session.version) != (number, version)

        rng = np.random.default_rng(int(state["plies"][0]))
        with self._thinking:
            action, hint = advise(self._hinter, obs, rng, lambda action: reader.words(state, action), stopped)
        return {"action": action, "hint": hint}

    def shown(self, person: Person, lobby: str = "", **look: Any) -> Shown:
        """Return everything that the page of a reader shows. Raise ValueError for an unknown look of the drawing."""
        with self.runner.lock:
            return Reader(self.session, person).shown(lobby=lobby, judged=bool(self.judge), **look)

    def status(self, person: Person) -> str:
        """Return whose turn it is, for a list of running games."""
        with self.runner.lock:
            return Reader(self.session, person).status()

    def opened(self, person: Person, **look: Any) -> str:
        """Return the drawing with all cards open. Raise RefusedError unless the round is over."""
        with self.runner.lock:
            return Reader(self.session, person).opened(**look)

    def replay(self, person: Person, *, is_judged: bool = False) -> str:
        """Return the finished game as a page, as the person's seat saw it and with all cards open.

        `is_judged`: with the adviser's values of the actions.
        """
        with self.runner.lock:
            allow(self.session.history.is_over, "The replay is available when the game is over.")
            seat, copy = self.session.seat(person), self.session.history.copied()
            names = self.session.names(seat)
            agents = [None if isinstance(chair, Person) else chair for chair in self.session.chairs]
        judge, thoughts = (self.judge, self._judged(copy)) if is_judged else (None, None)
        with self._thinking if is_judged else contextlib.nullcontext():
            return replay_of(copy, seat, names, judge, agents, opened=seat is not None, thoughts=thoughts).html

    def review(self, person: Person) -> dict[str, Any]:
        """Return what decided the finished game for a person: `words`, and the number of the worst decision."""
        with self.runner.lock:
            seat, copy = self.session.seat(person), self.session.history.copied()
            if not copy.is_over or seat is None:
                raise RefusedError("A person has a review when the game is over.")
            names = self.session.names(seat)
        return review(copy, seat, names, self._judged(copy), self.judge)

    def _judged(self, game: History) -> dict[int, Opinion]:
        """Return the adviser's opinions on a copy of the finished game. A second request has them at once."""
        key = game.save()
        with self._thinking:
            if key not in self._opinions:
                self._opinions = {key: judged(game, self.judge) if self.judge else {}}
            return self._opinions[key]
