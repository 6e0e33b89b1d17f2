"""A table that is served in this process, requests to it, and its page in a browser."""

from __future__ import annotations

import contextlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import tantra_envs
from agents import load
from tantra_envs.commands.play import chairs
from tantra_envs.table.history import deal
from tantra_envs.table.reader import Reader, Shown
from tantra_envs.table.rehearsal import rehearse
from tantra_envs.table.server import Server
from tantra_envs.table.session import LEVELS, Person, Session
from tantra_envs.table.table import Table

from .browser import Browser

DRAWN = "typeof state === 'object' && state.svg"
OWN_TURN = "typeof state === 'object' && state.yours"


def seated(name: str, seats: str = "", seed: int = 1, config: dict[str, Any] | None = None, **given: Any) -> Session:
    """A game that is dealt, by default for one person and scripted agents."""
    game = tantra_envs.game(name, **(config or {}))
    return Session(deal(game, seed), chairs(seats.split(",") if seats else [], game), **given)


def shown(session: Session, person: Person | None = None) -> Shown:
    """What the page of a person shows, by default of the first."""
    return Reader(session, person or session.readers[0]).shown(lobby="", judged=False)


@contextlib.contextmanager
def served(session: Session | None, adviser: str = "uniform", **given: Any) -> Iterator[Server]:
    """A session and its adviser, or a lobby, behind a port of its own."""
    agent = load(adviser, session.game) if session else None
    with Server(Table(session, agent, agent) if session else None, **given) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


@contextlib.contextmanager
def opened(session: Session, ready: str = OWN_TURN, size: tuple[int, int] = (1200, 860)) -> Iterator[Browser]:
    """The page of the first person in a browser, when a script on it has become true. The agents play."""
    rehearse(session.game, {chair.name for chair in session.chairs} & set(LEVELS))  # no page waits for the compiler
    with served(session) as server, Browser(*size) as page:
        server.table.runner.start()
        page.open(server.link(session.people[0]))
        page.wait(ready)
        yield page


def is_over(session: Session) -> bool:
    return session.history.is_over


def begun(session: Session) -> bool:
    return len(session.history.moves) > 8


def first_decides(session: Session, field: str, least: int) -> bool:
    """Whether the first seat decides in the middle of a game, by a field of the state that grows."""
    return bool(session.history.state[field][0] > least and session.history.state["seat"][0] == 0)


def play(session: Session, until: Callable[[Session], bool] = is_over) -> None:
    """Let the scripted agent play for everybody until a condition holds."""
    agent, rng = load("scripted", session.game), np.random.default_rng(1)
    while not until(session):
        session.move(int(agent.act(session.history.observation(), rng)[0]))


class Client:
    """Asks as the page of a person does."""

    def __init__(self, server: Server, person: Person | None = None) -> None:
        self.link = server.link(person or server.table.session.people[0])

    def get(self, route: str = "", **headers: str) -> tuple[int, bytes]:
        """Code and content."""
        return ask(self.link + route, **headers)

    def state(self, look: str = "") -> dict[str, Any]:
        """What the page is told."""
        code, content = self.get(f"state{look}")
        assert code == 200, content
        return json.loads(content)

    def act(self, wish: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        """Code and answer of a wish."""
        return send(self.link, wish, **headers)

    def play(self, action: int) -> tuple[int, dict[str, Any]]:
        """Take an action now."""
        return self.act({"do": "play", "version": self.state()["version"], "action": action})


def send(link: str, wish: Any, **headers: str) -> tuple[int, dict[str, Any]]:
    """Code and answer of a wish of the page at a link: JSON, or bytes as they are."""
    usual = {"Origin": "/".join(link.split("/")[:3]), "Content-Type": "application/json"}
    body = wish if isinstance(wish, bytes) else json.dumps(wish).encode()
    code, content = ask(f"{link}act", body, **{**usual, **headers})
    return code, json.loads(content)


def ask(link: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
    """Code and content, whatever the code."""
    try:
        with urllib.request.urlopen(urllib.request.Request(link, body, headers), timeout=180) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()
