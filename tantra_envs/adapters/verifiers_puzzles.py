"""Puzzles as a task set of the verifiers library.

Verifiers finds a task set in a module on the path of Python. A file `tantra_puzzles.py` with two lines is enough:

    from tantra_envs.adapters.verifiers_puzzles import *
    from tantra_envs.adapters.verifiers_puzzles import __all__

    PYTHONPATH=. vf-eval tantra_puzzles --env.taskset.kind karma/win --no-push --model MODEL

The reward is the credit of the reply.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import verifiers.v1 as vf

from .. import puzzles
from .episodes import ALL, Episodes

__all__ = ["PuzzleTasks"]


class PuzzleConfig(vf.TasksetConfig):
    """Options of the task set."""

    kind: str = ALL
    """Kind of the puzzles, a game, whose kinds take turns, or "puzzles" for all kinds."""
    seed: int = 0
    """Seed of the first task; the next tasks have the next seeds."""


class PuzzleData(vf.TaskData):
    """A puzzle."""

    kind: str
    seed: int


class PuzzleTask(vf.Task[PuzzleData]):
    """One question, which one reply answers."""

    @vf.reward(weight=1.0)
    async def credit(self, trace: vf.Trace) -> float:
        """Return the credit of the reply."""
        return puzzles.make(self.data.kind, self.data.seed).check(trace.last_reply or "")


class PuzzleTasks(vf.Taskset[PuzzleTask, PuzzleConfig]):
    """The puzzles of a kind, without end."""

    INFINITE = True

    def load(self) -> Iterator[PuzzleTask]:
        """Yield a task for each seed."""
        episodes = Episodes(self.config.kind)
        for seed in itertools.count(self.config.seed):
            puzzle = episodes.puzzle(seed)
            data = PuzzleData(name=f"{puzzle.kind}#{seed}", prompt=puzzle.prompt, kind=puzzle.kind, seed=seed)
            yield PuzzleTask(data, self.config.task)
