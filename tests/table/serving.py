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
from tantra_envs.core.observation import Observation
from tantra_envs.table.history import deal
from tantra_envs.table.server import Server
from tantra_envs.table.table import Person, Table

from .browser import Browser

DRAWN = "typeof state === 'object' && state.svg"
OWN_TURN = "typeof state === 'object' && state.yours"


def seated(name: str, seats: str, seed: int = 1, config: dict[str, Any] | None = None, **given: Any) -> Table:
    """A table that is dealt."""
    game = tantra_envs.game(name, **(config or {}))
    try:
        adviser = load("scripted", game)
    except ValueError:  # it does not play these options
        adviser = load("uniform", game)
    return Table(deal(game, seed), chairs(seats.split(","), game), adviser, **{"delay": 0, **given})


@contextlib.contextmanager
def served(table: Table | None, **given: Any) -> Iterator[Server]:
    """The table, or a lobby, behind a port of its own."""
    with Server(table, **given) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


@contextlib.contextmanager
def opened(table: Table, ready: str = OWN_TURN, size: tuple[int, int] = (1200, 860)) -> Iterator[Browser]:
    """The page of the first person in a browser, when a script on it has become true."""
    with served(table) as server, Browser(*size) as page:
        page.open(server.link(table.people[0]))
        page.wait(ready)
        yield page


def play(table: Table, until: Callable[[Table], bool]) -> None:
    """Let the scripted agent play for everybody until a condition holds."""
    agent, rng = load("scripted", table.game), np.random.default_rng(1)
    with table._changed:
        while not until(table):
            action = int(agent.act(Observation(table.game, table.history.state), rng)[0])
            table._play(action)


def is_over(table: Table) -> bool:
    return bool(table.history.state["over"][0])


class Client:
    """Asks as the page of a person does."""

    def __init__(self, server: Server, person: Person | None = None) -> None:
        self.person = person or server.table.people[0]
        self.link = server.link(self.person)
        self.origin = self.link.split("/t/")[0]

    def get(self, route: str = "", **headers: str) -> tuple[int, bytes]:
        """Code and content."""
        return ask(urllib.request.Request(self.link + route, headers=headers))

    def state(self, look: str = "") -> dict[str, Any]:
        """What the page is told."""
        code, content = self.get(f"state{look}")
        assert code == 200, content
        return json.loads(content)

    def act(self, wish: Any, **headers: str) -> tuple[int, dict[str, Any]]:
        """Code and answer of a wish."""
        usual = {"Origin": self.origin, "Content-Type": "application/json"}
        body = wish if isinstance(wish, bytes) else json.dumps(wish).encode()
        code, content = ask(urllib.request.Request(self.link + "act", body, {**usual, **headers}))
        return code, json.loads(content)

    def play(self, action: int) -> tuple[int, dict[str, Any]]:
        """Take an action now."""
        return self.act({"do": "play", "version": self.state()["version"], "action": action})


def ask(request: urllib.request.Request) -> tuple[int, bytes]:
    """Code and content, whatever the code."""
    try:
        with urllib.request.urlopen(request, timeout=180) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read()
