"""Puzzles and games as episodes of text whose reward is 0 .. 1, without a framework.

An episode of a puzzle has one reply. Its reward is the credit of the puzzle. An episode of a game has a reply for every
decision, and its reward comes at the end: 0.5 + score - score of the trained agent, which plays the same deal in the
same seat against the same agents, and at least 0, at most 1. So 0.5 is as good as the trained agent.

`ToolEpisodes` is an environment as TRL's `GRPOTrainer(environment_factory=..)` wants it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import puzzles
from ..core.asking import ask
from ..core.options import Whole, require_in
from ..matches.match import check_opponents
from ..opponents import opponent
from ..programs import cli
from ..puzzles import Puzzle
from .text import TextTable, Turn

ALL = "puzzles"  # the task that lets all kinds of puzzles take turns
GAME = "play "  # the tasks that are games begin with this: "play karma", "play karma:sixty"
OVER = "The episode is over."
TOOL = "Call the tool `answer` with your reply. Text without this call does not count."


@dataclass(frozen=True)
class Step:
    """A step of an episode."""

    text: str  # the next prompt; at the end the result
    reward: float
    done: bool
    error: str = ""  # why the reply could not be read


class Episodes:
    """Episodes of one task.

    Args:
        task: The kind of the puzzles, such as "karma/win"; a game, whose kinds take turns; "puzzles", where all kinds
            do; or "play GAME", such as "play karma:sixty", for whole games.
        opponents: The agent of the other seats in a game.
        seat: The seat of the model in a game. It is one seat: a model with seats of two teams could let one lose.
        retries: Extra replies for one decision of a game, after a reply without a legal action.

    Raises:
        ValueError: An argument is not allowed.
    """

    def __init__(self, task: str = ALL, opponents: str = "scripted", seat: int = 0, retries: int = 2) -> None:
        self.task, self._opponents = task, opponents
        self._table: TextTable | None = None
        self._episode: Puzzle | Turn | None = None
        self._seed = 0
        self._kinds = [task]
        if isinstance(task, str) and task.startswith(GAME):
            game = cli.game(task.removeprefix(GAME).strip())
            check_opponents(game)
            game.check_seat(seat)
            self._table = TextTable(game, seat, opponents, retries)
        else:
            self._kinds = list(puzzles.kinds()) if task == ALL else [task]
            try:
                puzzles.check_kind(self._kinds[0])
            except ValueError as error:
                raise ValueError(
                    f"task={task!r} is not allowed: {error}; also allowed: {ALL!r}, '{GAME}GAME'"
                ) from None

    def reset(self, seed: int) -> Step:
        """Begin the episode of a seed.

        Raises:
            ValueError: The seed is not a whole number from 0.
        """
        require_in("seed", seed, Whole(0))
        self._seed = int(seed)
        if self._table:
            self._episode = self._table.reset(seed)
        else:
            self._episode = self.puzzle(seed)
        return Step(self._episode.prompt, 0.0, False)

    def puzzle(self, seed: int) -> Puzzle:
        """Return the puzzle of a seed, for tasks that are puzzles."""
        return puzzles.make(self._kinds[seed % len(self._kinds)], seed)

    def step(self, reply: str) -> Step:
        """Give a reply.

        Raises:
            ValueError: No episode is running.
        """
        episode = self._episode
        if episode is None:
            raise ValueError("no episode is running; call reset() first")
        if isinstance(episode, Puzzle):
            self._episode = None
            checked = episode.examine(reply)
            return Step(OVER, checked.credit, True, checked.error)
        assert self._table is not None
        turn = self._episode = self._table.step(reply)
        if not turn.done:
            return Step(turn.prompt, 0.0, False, turn.error)
        self._episode = None
        return Step(turn.prompt, self._reward(self._table, turn), True)

    def _reward(self, table: TextTable, turn: Turn) -> float:
        """Return the reward of a finished game, after the trained agent has played the same deal."""
        learned, rng = opponent("learned", table.game), np.random.default_rng(self._seed)
        other = TextTable(table.game, table.seats, self._opponents)
        base = other.reset(self._seed)
        while not base.done:
            obs = other.observation()
            base = other.step(obs.action_names(0)[int(ask(learned, obs, rng)[0])])
        return min(1.0, max(0.0, 0.5 + turn.scores[turn.seat] - base.scores[turn.seat]))


def training_seed() -> int:
    """Return a random seed of those for training."""
    return secrets.choice(puzzles.SPLITS["train"])


class ToolEpisodes:
    """Episodes with tools: `GRPOTrainer(environment_factory=ToolEpisodes)`, or a function that returns one.

    The rows of the data set may have a column `seed`. Without it each episode has a random seed for training.
    The arguments are those of `Episodes`.
    """

    def __init__(self, task: str = ALL, opponents: str = "scripted", seat: int = 0, retries: int = 2) -> None:
        self._episodes = Episodes(task, opponents, seat, retries)
        self._step = Step("", 0.0, True)

    def reset(self, seed: int | None = None, **row: Any) -> str:
        """Begin an episode and return its prompt, which asks for `answer`. Other columns of the row are ignored."""
        self._step = self._episodes.reset(training_seed() if seed is None else seed)
        return f"{self._step.text}\n\n{TOOL}"

    def answer(self, reply: str) -> str:
        """Give your answer to the question, or play your next action.

        Args:
            reply: The answer, in the words that the question asks for.

        Returns:
            The next question, or the end of the episode.
        """
        if self._step.done:
            return OVER
        self._step = self._episodes.step(reply)
        return self._step.text

    def get_reward(self) -> float:
        """Return the reward of the episode, 0 if it has not ended."""
        return self._step.reward if self._step.done else 0.0
