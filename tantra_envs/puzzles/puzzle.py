"""A puzzle: its prompt, and the check of replies."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from ..adapters.replies import UnreadableError, last_line, read_reply
from ..adapters.text import ASKED, CANARY, legal_names, rules
from ..core.posed import Answer, Posed, line_of
from ..core.state import States

SEVERAL = "Reply with all your actions in order on the last line, separated by semicolons, in the words of the rules."
_LABEL = re.compile(r"(?:(?:my|the|final) )*answer(?: is)?\s*[:=]\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Checked:
    """The result of a check: the credit of a reply, 0 .. 1, and what was wrong with it, if it could not be read."""

    credit: float
    error: str = ""


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A table with a question, and all that is known about its answer. `make` returns it.

    Attributes:
        kind: The name of its kind, such as "karma/win".
        seed: Its seed.
        posed: The table and its question, as the game's folder made them.
        several: Whether an answer has several actions.
    """

    kind: str
    seed: int
    posed: Posed
    several: bool

    @property
    def seat(self) -> int:
        """Return the seat that is asked."""
        return int(self.posed.state["seat"][0])

    @functools.cached_property
    def prompt(self) -> str:
        """Return all that a model needs: rules, the table as the seat sees it, the question, and how to answer."""
        return f"{CANARY}\n\n{rules(self.posed.game)}\n\n{self.text}"

    @functools.cached_property
    def text(self) -> str:
        """Return the prompt without the rules."""
        game, state = self.posed.game, self.posed.state
        legal = "".join(f"\n- {name}" for name in legal_names(game, state))
        parts = [
            f"You are seat {self.seat} of {game.players}.",
            f"The table:\n{game.picture(state, self.seat)}",
            self.posed.question,
            f"You may{' begin with' if self.several else ''}:{legal}",
            SEVERAL if self.several else ASKED,
        ]
        return "\n\n".join(parts)

    @property
    def solution(self) -> str:
        """Return a best answer. `check(solution)` is 1."""
        return line_of(self.posed.game, self.posed.state, self.posed.best)

    @property
    def proof(self) -> str:
        """Return the reason why the solution is best. It contains the solution."""
        return self.posed.proof

    def check(self, reply: str) -> float:
        """Return the credit of a reply: 1 for a best answer, less for a part of it, 0 for any other text."""
        return self.examine(reply).credit

    def examine(self, reply: str) -> Checked:
        """Return the credit of a reply with the reason, if it could not be read."""
        try:
            answer, after = self._read(reply)
        except ValueError as error:
            return Checked(0.0, str(error))
        return Checked(self.posed.credit(answer, after))

    def _read(self, reply: str) -> tuple[Answer, States]:
        """Return the actions of a reply and the table after them.

        Raises:
            ValueError: The reply has no answer in the right notation, or an illegal action.
        """
        game, state = self.posed.game, self.posed.state.copy()
        if not self.several:
            action = read_reply(game, state, reply)
            game.apply_action(state, action)
            return (action,), state
        line = _LABEL.sub("", last_line(reply), count=1)
        answer = []
        for part in filter(None, map(str.strip, line.split(";"))):
            if state["over"][0] or int(state["seat"][0]) != self.seat:
                raise UnreadableError(f"The turn is over before {part!r}.")
            answer.append(read_reply(game, state, part))
            game.apply_action(state, answer[-1])
        if not answer:
            raise UnreadableError("No action was found in your reply.")
        return tuple(answer), state
