"""A game from its deal to now: the position, the actions, and both as bytes to save."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.game import Game
from ..core.past import Past
from ..core.state import States
from ..drawing import Move, move
from ..factory import make_raw
from .ending import points, rounds_finished


class History:
    """The game at a table.

    An environment plays every action too. Its `save()` and `load()` write and verify the bytes.
    """

    start: States
    state: States
    moves: list[Move]
    past: Past  # past of this one table
    totals: npt.NDArray[np.float64]  # rewards so far, by seat
    before: States  # position before the last action
    scores: list[list[int]]  # points of every team at the start, and after each finished round

    def __init__(self, game: Game) -> None:
        self.game = game
        self._env: Any = make_raw(game.id, **game.config)

    def deal(self, seed: int) -> None:
        """Deal a new game."""
        self._env.reset(seed=seed)
        self._follow()

    def load(self, data: bytes) -> None:
        """Restore a saved game. Raise ValueError, and change nothing, if it is damaged or of another game."""
        self._env.load(data)
        self._follow()

    def save(self) -> bytes:
        """Return the game as readable bytes: start, actions and random state. They contain hidden cards."""
        saved: bytes = self._env.save()
        return saved

    def play(self, action: int) -> None:
        """Take an action. Raise ValueError, and change nothing, if it is illegal."""
        self.game.check_action(self.state, self.game.mask(self.state), action)
        self._env.step(action)
        self._apply(action)

    def back_to(self, length: int) -> None:
        """Take back all actions except the first `length`."""
        actions = [past.action for past in self.moves[:length]]
        self._env.reset(options={"position": self.game.position(self.start, full=True)})
        for action in actions:
            self._env.step(action)
        self._follow()

    def _follow(self) -> None:
        """Take over the game of the environment."""
        saved = json.loads(self._env.save())
        self.start = self.game.from_position(saved["start"])
        self.state = self.start.copy()
        self.moves, self.past = [], Past(self.game, 1)
        self.totals, self.before = np.zeros(self.game.players), self.start
        self.scores = [points(self.game, self.start)]
        for action in saved["actions"]:
            if action is not None:  # an environment takes None at the end of a game
                self._apply(action)

    def _apply(self, action: int) -> None:
        self.before = self.state
        self.past.note(self.state, np.zeros(1, np.int64), np.array([action]))
        self.moves.append(move(self.game, self.state, action, self.moves[-1] if self.moves else None))
        self.state = self.moves[-1].after.copy()
        self.totals += self.state["rewards"][0, : self.game.players]
        if self.round_ended:
            self.scores.append(points(self.game, self.state))

    @property
    def round_ended(self) -> bool:
        """Return whether the last action ended a round."""
        return rounds_finished(self.game, self.state) > rounds_finished(self.game, self.before)
