"""A table of Karma that answers the requests of its page in the browser, where no server and no thread runs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from tantra_envs import configuration
from tantra_envs.core.asking import ask
from tantra_envs.core.observation import Agent, Observation
from tantra_envs.opponents.scripted import Scripted
from tantra_envs.table.history import deal
from tantra_envs.table.table import Person, RefusedError, Table
from tantra_envs.words.sentences import glossary

PLAYERS = 3


class Door:
    """The requests of the page of one person, who plays against scripted agents. `server.py` lists them."""

    def __init__(self) -> None:
        game = configuration.game("karma", players=PLAYERS)
        self._person = Person()
        self._rng = np.random.default_rng()
        agents = [Scripted(game) for _ in range(1, PLAYERS)]
        self._table = Table(deal(game), [self._person, *agents], Scripted(game))

    def answer(self, request: str) -> str | None:
        """Return the code and the content of an answer as JSON; None = the page waits until the table has changed."""
        asked = json.loads(request)
        route, look = asked["route"], asked["query"]
        if route == "state" and look.pop("since", "") == self._table.version:
            return None
        try:
            return json.dumps([200, self._content(route, look, asked["wish"])])
        except RefusedError as error:
            return json.dumps([409, {"error": str(error)}])
        except ValueError as error:
            return json.dumps([400, {"error": str(error)}])

    def _content(self, route: str, look: dict[str, Any], wish: dict[str, Any]) -> Any:
        if "wide" in look:
            look["wide"] = float(look["wide"])
        if route == "act":
            return getattr(self._table, wish.pop("do"))(self._person, **wish) or {}
        if route == "terms":
            return glossary(self._table.game)
        if route == "open":
            return self._table.opened(self._person, **look)
        shown = self._table.shown(self._person, **look)
        return {**shown, "lobby": "", "levels": [("scripted", "usual")]}

    def pause(self) -> float | None:
        """Return the seconds before the agent to decide acts; None = no agent is to decide, or they are paused."""
        return None if self._agent() is None or self._table._delay == float("inf") else self._table._delay

    def step(self) -> None:
        """Let the agent to decide act."""
        table = self._table
        agent = self._agent()
        with table._changed:
            table._play(int(ask(agent, Observation(table.game, table.history.state), self._rng)[0]))

    def _agent(self) -> Agent | None:
        chair = self._table.chairs[int(self._table.history.state["seat"][0])]
        return None if self._table.is_over or isinstance(chair, Person) else chair
