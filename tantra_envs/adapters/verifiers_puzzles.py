"""Puzzles as a task set of the verifiers library, and as a module with `load_environment`.

Verifiers finds a task set in a module on the path of Python. A file `tantra_puzzles.py` with two lines is enough:

    from tantra_envs.adapters.verifiers_puzzles import *
    from tantra_envs.adapters.verifiers_puzzles import __all__

    PYTHONPATH=. vf-eval tantra_puzzles --env.taskset.kind karma/win --no-push --model MODEL

The reward is the credit of the reply. `load_environment` has the form that hubs and `openenv import` look for.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import verifiers.v1 as vf

from .. import puzzles
from .episodes import ALL, Episodes

__all__ = ["PuzzleTasks"]
TASKS = 100  # of a split, for programs that list all of them


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


class Rows(Sequence[dict[str, Any]]):
    """Puzzles as rows of a data set."""

    def __init__(self, kind: str, seeds: range) -> None:
        self._episodes, self._seeds = Episodes(kind), seeds

    def __len__(self) -> int:
        return len(self._seeds)

    def __getitem__(self, index: Any) -> Any:
        seed = self._seeds[index]
        puzzle = self._episodes.puzzle(seed)
        prompt = [{"role": "user", "content": puzzle.prompt}]
        return {"prompt": prompt, "answer": "", "info": {"kind": puzzle.kind, "seed": seed}}


class Rubric:
    """The reward of a rollout."""

    async def score_rollout(self, state: dict[str, Any]) -> None:
        """Write the credit of the last message of `completion` into the state."""
        info = state["info"]
        reply = str(state["completion"][-1]["content"])
        state["reward"] = puzzles.make(info["kind"], info["seed"]).check(reply)
        state["metrics"] = {"solved": float(state["reward"] == 1.0)}


class PuzzleEnvironment:
    """Data sets for training and tests, and a rubric."""

    def __init__(self, kind: str, tasks: int) -> None:
        self._kind, self._tasks = kind, tasks
        self.rubric = Rubric()

    def get_dataset(self) -> Rows:
        """Return the puzzles for training."""
        return Rows(self._kind, puzzles.SPLITS["train"][: self._tasks])

    def get_eval_dataset(self) -> Rows:
        """Return the puzzles for tests."""
        return Rows(self._kind, puzzles.SPLITS["test"][: self._tasks])


def load_environment(kind: str = ALL, tasks: int = TASKS) -> PuzzleEnvironment:
    """Return an environment of puzzles.

    Args:
        kind: The kind of the puzzles, a game, or "puzzles".
        tasks: The number of puzzles for training, and for tests.
    """
    return PuzzleEnvironment(kind, tasks)
