"""Train agents in separate processes, each in the folder of a run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tantra_envs.programs.cli import UserError
from tantra_envs.programs.files import write_json
from tantra_envs.programs.progress import progress
from tantra_envs.programs.workers import Run

ROOT = Path(__file__).resolve().parents[2]
MODEL, FINISHED = "model.safetensors", "results.json"  # in the folder of a run, as are the next two
CHECKPOINT, OPTIONS = "checkpoint.safetensors", "options.json"
# A command of `training`. It ends when its parent does, because the pipe that is its input is closed then.
COMMAND = """
import os, sys, threading
threading.Thread(target=lambda: (sys.stdin.read(), os._exit(1)), daemon=True).start()
from training.__main__ import main
raise SystemExit(main(sys.argv[1:]))
"""


@dataclass(frozen=True)
class Job:
    """An agent to train: the folder of its run, and the words of `python -m training` that train it."""

    folder: Path
    words: tuple[str, ...]

    @property
    def options(self) -> list[str]:
        """The words, with paths below the folder of the project, to compare runs."""
        return [word.replace(str(ROOT), "") for word in self.words]


def make(jobs: Iterable[Job], run: Run) -> None:
    """Train all agents that are not finished; raise ValueError for a folder of other options."""
    every = list(dict.fromkeys(jobs))
    for job in every:
        _check_same(job)
    missing = [job for job in every if not (job.folder / FINISHED).exists()]
    if missing:
        with progress("agents trained", len(missing)) as advance:
            for _ in run(_make, missing):
                advance(1)


def _check_same(job: Job) -> None:
    """Raise ValueError if the folder of a job holds an agent with other options."""
    file = job.folder / OPTIONS
    if file.exists() and json.loads(file.read_text(encoding="utf-8")) != job.options:
        raise ValueError(f"{job.folder} contains an agent that learned with other options; choose another --name")


def _make(job: Job) -> None:
    """Begin or continue a run, and train it to its end."""
    folder, (command, *options) = job.folder, job.words
    words = [*options, "--runs", str(folder.parent), "--name", folder.name]
    if (folder / CHECKPOINT).exists():
        words = ["--resume", str(folder), "--trust"]
    folder.mkdir(exist_ok=True)
    write_json(folder / OPTIONS, job.options)
    train([command, *words], folder / "log.txt")


def train(words: list[str], log: Path) -> None:
    """Run `python -m training` with its output in a file; raise UserError if it fails."""
    command = [sys.executable, "-c", COMMAND, *words]
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])  # paths in the words are those of the caller
    own: Any = {"env": {**os.environ, "PYTHONPATH": paths}, "stdin": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with (
        log.open("w", encoding="utf-8") as output,
        subprocess.Popen(command, stdout=output, start_new_session=True, **own) as process,
    ):
        code = process.wait()  # `communicate` would close the input at once
    if code:
        last = "".join(log.read_text(encoding="utf-8").splitlines()[-1:])
        raise UserError(f"training {words[0]} failed: {last} (see {log})")
