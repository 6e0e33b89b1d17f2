"""An environment of OpenEnv: puzzles with a proven answer, and games against agents, in text.

    python -m tantra_envs openenv FOLDER      a package for `openenv validate`, `openenv push` and Docker
    uvicorn tantra_envs.adapters.openenv_environment:app      the same server without a folder

A client sends `reset` with a seed and perhaps a task, and `step` with a reply. `Episodes` explains tasks and rewards.
The seed is not in observations: with it and this library, a model that can run code could compute the answer.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from .. import __version__, puzzles
from ..core.options import require
from .episodes import ALL, Episodes, Step, training_seed

SESSIONS = 64  # WebSocket sessions at a time
OPPONENTS = ("scripted", "uniform", "greedy", "search:16", "learned")  # other names could start programs on the server
NAME = "tantra_envs"
DESCRIPTION = "Card and tile puzzles with a proven best answer, and card and tile games against agents, in text."


class Reply(Action):
    """A reply of a model."""

    reply: str = Field(description="The answer of a puzzle, or the action of a game, on its last line")
    seed: int | None = Field(default=None, ge=0, description="Seed of the episode, for a step without a reset")
    task: str | None = Field(default=None, description="Task of the episode, for a step without a reset")


class Shown(Observation):
    """The text that the model sees."""

    prompt: str = Field(default="", description="The question to the model; at the end the result")
    error: str = Field(default="", description="The reason why the reply could not be read")


class TextEnvironment(Environment[Reply, Shown, State]):
    """Episodes of any task; `reset(task=..)` selects it."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._state = State(episode_id=None, step_count=0)
        self._episodes: Episodes | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task: str | None = None,
        split: str | None = None,
        index: int | None = None,
        **options: Any,
    ) -> Shown:
        """Begin an episode.

        Args:
            seed: Its seed; None = a random one for training.
            episode_id: Its name.
            task: Its task, see `Episodes`; None = all puzzles.
            split: "train" or "test", with `index` in place of a seed.
            index: The number of a task in the split.
            options: `opponents`, one of OPPONENTS, `seat` and `retries` of `Episodes`.

        Raises:
            ValueError: An argument is not allowed.
        """
        if split is not None or index is not None:
            seed = self.get_task(str(split), -1 if index is None else index)["seed"]
        if not options.keys() <= {"opponents", "seat", "retries"}:
            raise ValueError(f"options={', '.join(options)} are not allowed; allowed: opponents, seat, retries")
        opponents = options.get("opponents", OPPONENTS[0])
        require("opponents", opponents, opponents in OPPONENTS, ", ".join(OPPONENTS))
        self._episodes = Episodes(ALL if task is None else task, **options)
        self._state = State(episode_id=episode_id or str(uuid4()), step_count=0)
        return _shown(self._episodes.reset(training_seed() if seed is None else seed))

    def step(self, action: Reply, timeout_s: float | None = None, **options: Any) -> Shown:
        """Give a reply. Without an episode, the seed and the task of the action begin one."""
        if self._episodes is None:
            if action.seed is None:
                raise ValueError("no episode is running; call reset first, or send a seed with the action")
            self.reset(action.seed, task=action.task)
            assert self._episodes is not None
        self._state.step_count += 1
        return _shown(self._episodes.step(action.reply))

    @property
    def state(self) -> State:
        """Return the name of the episode and the number of its steps."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Return name, description and version."""
        return EnvironmentMetadata(name=NAME, description=DESCRIPTION, version=__version__)

    # Tasks: a split has a number of puzzles, whose kinds take turns.

    def list_splits(self) -> list[dict[str, str]]:
        """Return the splits."""
        return [{"name": name, "type": name} for name in puzzles.SPLITS]

    def num_tasks(self, split: str) -> int:
        """Return the number of tasks in a split."""
        return len(self._seeds(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return a task of a split."""
        seeds = self._seeds(split)
        if not 0 <= index < len(seeds):
            raise IndexError(f"index={index} is not allowed; allowed: 0..{len(seeds) - 1}")
        return {"id": f"{split}-{index}", "index": index, "split": split, "seed": seeds[index]}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """Return some tasks of a split, at most 1,000."""
        numbers = range(len(self._seeds(split)))[slice(start, stop)][:1000]
        return [self.get_task(split, number) for number in numbers]

    list_tasks = get_task_range  # the first 1,000 tasks of a split

    @staticmethod
    def _seeds(split: str) -> range:
        require("split", split, split in puzzles.SPLITS, ", ".join(puzzles.SPLITS))
        return puzzles.SPLITS[split]


def _shown(step: Step) -> Shown:
    return Shown(prompt=step.text, error=step.error, reward=step.reward, done=step.done)


class TextClient(EnvClient[Reply, Shown, State]):
    """A client of the server, for one episode at a time: `TextClient(base_url="http://localhost:8000").sync()`."""

    def _step_payload(self, action: Reply) -> dict[str, Any]:
        return dict(action.model_dump(exclude_none=True, exclude={"metadata"}))

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[Shown]:
        reward, done = payload.get("reward"), bool(payload.get("done", False))
        shown = Shown(**{**payload.get("observation", {}), "reward": reward, "done": done})
        return StepResult(observation=shown, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)


app = create_app(TextEnvironment, Reply, Shown, env_name=NAME, max_concurrent_envs=SESSIONS)
