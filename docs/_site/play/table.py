"""A table of Karma that answers the requests of its page in the browser, where no server and no thread runs."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import numpy as np

from tantra_envs import configuration
from tantra_envs.core.asking import ask
from tantra_envs.opponents.scripted import Scripted
from tantra_envs.table.history import deal
from tantra_envs.table.session import SPEEDS, Person, RefusedError, Session
from tantra_envs.table.table import Table
from tantra_envs.words.sentences import glossary

PLAYERS = 3


class Door:
    """The requests of the page of one person, who plays against scripted agents. `server.py` lists them."""

    def __init__(self) -> None:
        game = configuration.game("karma", players=PLAYERS)
        agent, self._person, self._rng = Scripted(game), Person(), np.random.default_rng()
        self._session = Session(deal(game), [self._person, *[agent] * (PLAYERS - 1)], delay=SPEEDS["normal"])
        self._table = Table(self._session, agent, agent)

    def answer(self, request: str) -> str | None:
        """Return the code and the content of an answer as JSON; None = the page waits until the table has changed."""
        asked = json.loads(request)
        route, look = asked["route"], asked["query"]
        if route == "state" and look.pop("since", "") == self._session.version:
            return None
        try:
            return json.dumps([200, self._content(route, look, asked["wish"])])
        except RefusedError as error:
            return json.dumps([409, {"error": str(error)}])
        except ValueError as error:
            return json.dumps([400, {"error": str(error)}])

    def _content(self, route: str, look: dict[str, Any], wish: dict[str, Any]) -> Any:
        if route == "act":
            return self._table.act(self._person, **wish)
        if route == "terms":
            return glossary(self._session.game)
        if "wide" in look:
            look["wide"] = float(look["wide"])
        if route == "open":
            return self._table.opened(self._person, **look)
        return {**asdict(self._table.shown(self._person, **look)), "levels": [("scripted", "usual")]}

    def pause(self) -> float | None:
        """Return the seconds before the agent to decide acts; None = no agent is to decide, or they are paused."""
        return self._session.delay if self._session.agent else None

    def step(self) -> None:
        """Let the agent to decide act."""
        agent = self._session.agent
        assert agent
        self._session.move(int(ask(agent, self._session.history.observation(), self._rng)[0]))
