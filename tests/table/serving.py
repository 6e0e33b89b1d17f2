"""A table that is served in this process, and requests to it."""

from __future__ import annotations

import contextlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import tantra_envs
from agents import load
from tantra_envs.commands.play import chairs
from tantra_envs.table.history import deal
from tantra_envs.table.server import Server
from tantra_envs.table.table import Person, Table


def seated(name: str, seats: str, seed: int = 1, config: dict[str, Any] | None = None, **given: Any) -> Table:
    """A table that is dealt."""
    game = tantra_envs.game(name, **(config or {}))
    return Table(deal(game, seed), chairs(seats.split(","), game), load("scripted", game), **{"delay": 0, **given})


@contextlib.contextmanager
def served(table: Table, **given: Any) -> Iterator[Server]:
    """The table behind a port of its own."""
    with Server(table, **given) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield server
        server.shutdown()


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
