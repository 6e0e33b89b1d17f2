"""A game from its deal to now: the start, the actions, and both as bytes to save."""

from __future__ import annotations

import hashlib
import json
import secrets

import numpy as np
import numpy.typing as npt

from .. import configuration
from ..core.game import Game
from ..core.past import Past
from ..core.state import States
from ..drawing import Move, move
from .ending import points, rounds_finished

FORMAT = "tantra_envs game 1"
MAX_SEED = 2**31 - 1


class History:
    """The game at a table. Everything but its start and its moves is derived from them.

    Attributes:
        game: The game.
        start: The first position, shape (1,).
        moves: All actions so far, each with the positions before and after it.
        past: The decisions so far, for agents that infer hidden cards from them.
        names: The names of the seats, if they are known.
    """

    def __init__(self, game: Game, start: States) -> None:
        self.game, self.start = game, start
        self.moves: list[Move] = []
        self.past = Past(game, 1)
        self.names: list[str] = []

    @property
    def state(self) -> States:
        """The position now, shape (1,)."""
        return self.moves[-1].after if self.moves else self.start

    @property
    def totals(self) -> npt.NDArray[np.float64]:
        """The rewards so far, by seat."""
        rewards = [past.after["rewards"][0, : self.game.players] for past in self.moves]
        return np.sum(rewards, axis=0) if rewards else np.zeros(self.game.players)

    @property
    def scores(self) -> list[list[int]]:
        """The points of every team at the start, and after each finished round."""
        ends = [past.after for past in self.moves if self.ends_round(past)]
        return [points(self.game, state) for state in (self.start, *ends)]

    @property
    def round_ended(self) -> bool:
        """Whether the last action ended a round."""
        return bool(self.moves) and self.ends_round(self.moves[-1])

    @property
    def last_round(self) -> list[Move]:
        """The actions of the round that the last action ended; none if it ended no round."""
        ends = [length for length, past in enumerate(self.moves, 1) if self.ends_round(past)]
        if not ends or ends[-1] < len(self.moves):
            return []
        return self.moves[ends[-2] if len(ends) > 1 else 0 :]

    def ends_round(self, past: Move) -> bool:
        """Return whether an action ended a round."""
        return rounds_finished(self.game, past.after) > rounds_finished(self.game, past.before)

    def play(self, action: int) -> None:
        """Take an action. Raise ValueError, and change nothing, if it is illegal."""
        state = self.state
        self.game.check_action(state, self.game.mask(state), action)
        self.past.note(state, np.zeros(1, np.int64), np.array([action]))
        self.moves.append(move(self.game, state, action, self.moves[-1] if self.moves else None))

    def back_to(self, length: int) -> None:
        """Take back all actions except the first `length`."""
        del self.moves[length:]
        self.past = Past(self.game, 1)
        for past in self.moves:
            self.past.note(past.before, np.zeros(1, np.int64), np.array([past.action]))

    def save(self) -> bytes:
        """Return the game as readable bytes: its rules, start and actions. They contain hidden cards."""
        content = {
            "format": FORMAT,
            "game": self.game.id,
            "config": self.game.config,
            "start": self.game.position(self.start, full=True),
            "actions": [past.action for past in self.moves],
            "names": self.names,
            "table": _digest(self.state),
        }
        return json.dumps(content, separators=(",", ":")).encode()


def deal(game: Game, seed: int | None = None) -> History:
    """Return a new game, dealt from `seed`; None = a random seed."""
    return History(game, game.new(secrets.randbelow(MAX_SEED) if seed is None else seed))


def saved_history(data: bytes) -> History:
    """Return the game of `History.save`, played again from its start.

    Raises:
        ValueError: The bytes are damaged, or something else.
    """
    try:
        saved = json.loads(data)
        if not isinstance(saved, dict) or saved.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        game = configuration.game(saved["game"], **saved["config"])
        history = History(game, game.from_position(saved["start"]))
        for action in saved["actions"]:
            history.play(action)
        history.names = _saved_names(saved.get("names", []), game.players)
        if _digest(history.state) != saved["table"]:
            raise ValueError("its actions do not lead to its table")
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError(f"not a saved game, or damaged: {error}") from None
    return history


def _saved_names(names: object, players: int) -> list[str]:
    """Return the names of a saved game, which older ones do not have. Raise ValueError for anything else."""
    if (
        not isinstance(names, list)
        or len(names) not in (0, players)
        or not all(isinstance(name, str) for name in names)
    ):
        raise ValueError(f"names={names!r} is not allowed; allowed: {players} names, or none")
    return names


def _digest(state: States) -> str:
    return hashlib.sha256(state.tobytes()).hexdigest()
