"""A puzzle: its prompt, the check of replies, and how it is made from a kind and a seed."""

from __future__ import annotations

import functools
import re
import threading
from dataclasses import dataclass
from typing import Any

from .. import games
from ..adapters.replies import UnreadableError, last_line, read_reply
from ..adapters.text import ASKED, CANARY, legal_names, rules
from ..core.admission import check_consistent
from ..core.draws import Draws
from ..core.game import as_seed
from ..core.options import Whole, require_in
from ..core.posed import Answer, Kind, Posed, line_of
from ..core.state import States
from ..extras import module_in

SEVERAL = "Reply with all your actions in order on the last line, separated by semicolons, in the words of the rules."
# Seeds of the puzzles to train with, and of those that a benchmark must use.
SPLITS = {"train": range(1_000_000), "test": range(1_000_000, 2_000_000)}
_ONE_AT_A_TIME = threading.Lock()  # the arrays of a search serve one puzzle
MOST_TRIES = 20_000  # tables that are tried for one puzzle; the rarest kinds need about 60
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


def kinds(game: str | None = None) -> dict[str, str]:
    """Return the kinds of puzzles by name, such as "karma/win", with the task of each; of one game, or of all.

    Raises:
        ValueError: There is no such game, or it has no puzzles.
    """
    names = games.GAMES if game is None else (game,)
    return {f"{name}/{kind}": entry.task for name in names for kind, entry in _kinds(name, required=bool(game)).items()}


def make(kind: str, seed: int = 0) -> Puzzle:
    """Return the puzzle of a kind and a seed.

    Args:
        kind: The name of a kind, such as "karma/win", or of a game. The kinds of a game take turns by seed.
        seed: The seed. `SPLITS` has those for training and for tests.

    Raises:
        ValueError: There is no such kind, or the seed is not a whole number.
    """
    game, name = check_kind(kind)
    available = _kinds(game)
    require_in("seed", seed, Whole(0))
    return _made(game, name or list(available)[int(seed) % len(available)], as_seed(int(seed)))


def check_kind(kind: str) -> tuple[str, str]:
    """Return the game and the kind in a name such as "karma/win"; the kind is "" for a game.

    Raises:
        ValueError: There is no such kind.
    """
    game, _, name = kind.partition("/") if isinstance(kind, str) else (kind, "", "")
    if name not in ("", *_kinds(game)):
        raise ValueError(f"kind={kind!r} is not allowed; allowed: {game}, {', '.join(kinds(game))}")
    return game, name


@functools.lru_cache(maxsize=1024)  # trainers ask for the same puzzle many times
def _made(game: str, name: str, seed: int) -> Puzzle:
    kind, draws = _kinds(game)[name], Draws(f"{game}/{name}", seed)
    with _ONE_AT_A_TIME:
        for _ in range(MOST_TRIES):
            if posed := kind.pose(draws):
                check_consistent(posed.game, posed.state)
                return Puzzle(f"{game}/{name}", seed, posed, kind.several)
    raise RuntimeError(f"{game}/{name}: none of {MOST_TRIES:,} tables with seed={seed} is a puzzle; take another seed")


def _kinds(game: str, required: bool = True) -> dict[str, Kind]:
    """Return the kinds of a game by name; {} or ValueError if it has none."""
    if isinstance(game, str) and game in games.GAMES and (module := _puzzles_of(game)):
        found: dict[str, Kind] = module.KINDS
        return found
    if required:
        named = list(filter(_puzzles_of, games.GAMES))
        raise ValueError(f"game={game!r} is not allowed: it has no puzzles; allowed: {', '.join(named)}")
    return {}


def _puzzles_of(game: str) -> Any:
    return module_in(f"{games.__name__}.{game}", "words.puzzles")
