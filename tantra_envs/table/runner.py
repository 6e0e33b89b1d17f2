"""The turns of the agents at a table, and the lock that protects its session.

Agents think outside the lock, on a copy, so that no page waits for them. Their answer counts only if the session has
not changed meanwhile.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

import numpy as np

from ..core.asking import ask
from ..core.observation import Agent, Observation
from .session import Session


class Runner:
    """Plays for the agents of a session, in a thread of its own. Methods may be called from any thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._closed = False
        self._rng = np.random.default_rng()
        self.lock = threading.Condition()  # notified after every change

    def start(self) -> None:
        """Let the agents play in a thread until the table is closed or the program ends."""
        threading.Thread(target=self._run, daemon=True).start()

    def close(self) -> None:
        """Stop the agents and wake all waiting threads."""
        with self.changing():
            self._closed = True

    @contextlib.contextmanager
    def changing(self) -> Iterator[None]:
        """Hold the lock, and wake all waiting threads after the change."""
        with self.lock:
            yield
            self.lock.notify_all()

    def wait(self, version: str, seconds: float | None) -> bool:
        """Wait until the session has left `version` or the table is closed. Return False if the time was up before."""
        with self.lock:
            return self.lock.wait_for(lambda: self._session.version != version or self._closed, seconds)

    def _run(self) -> None:
        while turn := self._turn():
            agent, obs, version = turn
            if self.wait(version, self._session.delay):
                continue
            action: int | None = None
            try:
                action = int(ask(agent, obs, self._rng)[0])  # only this thread asks an agent, so it needs no lock
            except Exception as error:  # an agent may raise anything: the game stays, and people see a message
                print(error, file=sys.stderr)
            with self.changing():
                if self._closed or self._session.version != version:
                    continue
                if action is None:
                    self._session.fail(agent)
                else:
                    self._session.move(action)

    def _turn(self) -> tuple[Agent, Observation, str] | None:
        """Wait for the turn of an agent. Return the agent, its observation and the version; None = closed."""
        with self.lock:
            self.lock.wait_for(lambda: self._closed or self._session.agent is not None)
            agent = self._session.agent
            if self._closed or agent is None:
                return None
            return agent, self._session.history.observation(), self._session.version
