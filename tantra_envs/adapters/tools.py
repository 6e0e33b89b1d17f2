"""A table as tools for a language model: the methods of `ToolTable`, which `python -m tantra_envs mcp` serves.

Each tool returns text that contains only what the seat of the model may see. A tool that refuses a request raises
ValueError, and the table has not changed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

import numpy as np

from ..core.asking import AgentError
from ..core.game import Game
from ..core.observation import Agent, Observation
from ..core.options import Within, require_in
from ..drawing.drawings import is_drawn
from ..table import ending
from ..table.advice import advise
from ..table.history import History, deal
from ..words.sentences import seat_names
from .replies import read_reply
from .text import LAST, action_lines, legal_names, lines_since, result_text, rules, turn_text

TOOLS = ("rules", "look", "legal_actions", "play", "history", "new_game")
HINT = "hint"  # the tool of a table with an adviser
SHOWN = 80  # characters of a refused action in a message


class ToolTable:
    """A table where a language model plays one seat with tools, and agents play the others.

    Args:
        game: The game.
        seat: The seat of the model.
        agents: The agents of the other seats, by seat.
        adviser: The agent that gives hints; None = there are no hints.
        seed: Seed of the first game; None = a random seed.

    Attributes:
        tools: Names of the methods that are tools.
    """

    def __init__(
        self, game: Game, seat: int, agents: Mapping[int, Agent], adviser: Agent | None = None, seed: int | None = None
    ) -> None:
        self.tools = TOOLS if adviser is None else (*TOOLS, HINT)
        self.game, self._seat, self._agents, self._adviser = game, seat, agents, adviser
        self._history: History | None = None
        self.new_game(seed)

    def rules(self) -> str:
        """Return the rules of the game, with the meaning of the words of actions."""
        return rules(self.game)

    def look(self) -> str:
        """Return the actions since your last turn, what you see of the table, the question, and your legal actions.

        When the game is over, return the result.
        """
        history = self._dealt()
        if history.state["over"][0]:
            return self._result(history)
        return turn_text(self.game, history.state, self._seat, lines_since(history, self._seat))

    def legal_actions(self) -> list[str]:
        """Return the names of your legal actions. There are none when the game is over."""
        return legal_names(self.game, self._dealt().state)

    def play(self, action: str) -> str:
        """Play one of your legal actions, by its name. The others play until it is your turn; return what `look` does.

        After an action that is not legal, nothing changes and the error lists the legal actions.
        """
        history = self._dealt()
        if history.state["over"][0]:
            raise ValueError("The game is over, so no action is legal. Use new_game to deal another game.")
        try:
            number = read_reply(self.game, history.state, action)
        except ValueError as error:
            raise ValueError(f"{action[:SHOWN]!r} was not played. {error}") from None
        history.play(number)
        self._go_on(history)
        return self.look()

    def history(self, last: int = LAST) -> str:
        """Return the last actions of all seats with their effects, as far as you may know them; last=0 returns all."""
        history = self._dealt()
        require_in("last", last, Within(0))
        first = max(0, len(history.moves) - last) if last else 0
        return "\n".join(action_lines(history, self._seat, first)) or "Nothing has been played yet."

    def hint(self) -> str:
        """Return the action that an adviser would play, and why. The adviser sees only what you see."""
        history = self._dealt()
        if self._adviser is None or history.state["over"][0]:
            raise ValueError("There is no hint: the game is over, or the server runs without --hints.")
        obs = Observation(self.game, history.state.copy(), past=history.past.copy())
        rng = np.random.default_rng(len(history.moves))  # repeated questions get the same hint
        return advise(self._adviser, obs, rng, lambda action: self.game.action_name(history.state, action))[1]

    def new_game(self, seed: int | None = None) -> str:
        """Deal another game and return what `look` does. The same seed and actions give the same game."""
        self._history = deal(self.game, seed)
        self._seed = self._history.facts.deal
        self._rng = np.random.default_rng(self._seed)
        self._go_on(self._history)
        return self.look()

    def _dealt(self) -> History:
        """Return the game. It is over, or it is the turn of the model."""
        if self._history is None:
            raise ValueError("An agent failed and ended the game. Use new_game to deal another game.")
        return self._history

    def _go_on(self, history: History) -> None:
        """Play for the agents until it is the turn of the model or the game is over."""
        try:
            while not history.state["over"][0] and (seat := int(history.state["seat"][0])) != self._seat:
                history.ask(self._agents[seat], self._rng)
        except AgentError as error:  # its message may contain the agent's cards
            print(error, file=sys.stderr)
            self._history = None

    def _result(self, history: History) -> str:
        """Return the finished table, who won and by what, the rewards, and the seed that repeats the game."""
        game, state, totals, seat = self.game, history.state, history.totals, self._seat
        text = [result_text(game, state, seat)]
        if is_drawn(game):
            names = seat_names(game, seat)
            text.append(ending.verdict(game, state, totals, seat, names))
            text.append(ending.others(game, totals, seat, names))
        rewards = ", ".join(f"seat {j}: {reward:g}" for j, reward in enumerate(totals))
        text.append(f"You were seat {seat}. Rewards: {rewards}. The seed was {self._seed}.")
        return "\n\n".join(filter(None, text))
