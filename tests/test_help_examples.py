"""The example in the help of a command runs as it stands, in a folder that holds only what the example names.

Those of `training` are tried in tests/training.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from docs._site.commands import PROGRAMS, help_of

ROOT = Path(__file__).resolve().parents[1]
TRIED = ("tantra_envs", "benchmarks", "benchmarks show")
EXAMPLE = re.compile(r"^Example: python -m (.+)$", re.MULTILINE)
SHORT = {  # options behind those of the example, where the last one counts, so that it takes seconds
    "tantra_envs warmup": "--jobs 1",
    "benchmarks tournament": "--deals 4",
    "benchmarks ladder": "--deals 2",
    "benchmarks study": "--deals 4 --sections seats length",
    "benchmarks play": "--deals 2 --workers 1",
}
NOT_RUN = {  # what a test cannot wait for, and which test covers it
    "tantra_envs play": "serves until Ctrl-C: tests/docs/test_start.py opens tables",
    "tantra_envs mcp": "serves until its client leaves: tests/adapters",
    "tantra_envs replay": "needs a game that a person played: tests/table/test_replay.py",
    "benchmarks exact": "walks a mini game with a bot for a minute: tests/benchmarks/exact",
    "benchmarks speed": "times all engines of a game: tests/benchmarks/speed",
}
BOT = """
class MyAgent:
    name = "mine"

    def __init__(self, game):
        pass

    def act(self, obs, rng):
        return obs.action_mask.argmax(axis=1)
"""
PLAN = """
game = "karma"

[[rows]]
agent = "greedy"
against = ["uniform", "scripted"]
"""
NEEDED = {  # by what an example names: the command that makes it
    "runs/my-tournament": "benchmarks tournament karma --agents uniform scripted --deals 2 --name my-tournament",
    "runs/mine": "benchmarks tournament karma --agents my_agent.py:MyAgent scripted --deals 2 --name mine",
    "runs/sixty": "benchmarks play sixty.toml --deals 2",
}


def examples() -> list[str]:
    texts = [help_of(program, name) for program, names in PROGRAMS.items() if program in TRIED for name in names]
    return sorted({example for text in texts for example in EXAMPLE.findall(text)})


def command_of(example: str) -> str:
    """Return the program and the command of an example, such as "tantra_envs warmup"."""
    return " ".join(example.split()[:2])


def run(words: str, folder: Path) -> None:
    """Run a command of a clone in another folder, and fail with its output unless it ends well."""
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    filled = [sorted(map(str, folder.glob(word))) if "*" in word else [word] for word in shlex.split(words)]
    done = subprocess.run(
        [sys.executable, "-m", *chain.from_iterable(filled)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}"


def weights() -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in (ROOT / "tantra_envs/opponents/weights").iterdir()}


@pytest.mark.whole
@pytest.mark.parametrize("example", examples(), ids=lambda words: re.sub(r"\W+", "-", words))
def test_the_example_of_a_help_text_runs_and_leaves_what_ships(example, tmp_path):
    command = command_of(example)
    if command in NOT_RUN:
        pytest.skip(NOT_RUN[command])
    pytest.importorskip("polars")
    for name, text in {"my_agent.py": BOT, "sixty.toml": PLAN}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    before = weights()
    for name, maker in NEEDED.items():
        if name in example:
            run(maker, tmp_path)
    run(f"{example} {SHORT.get(command, '')}", tmp_path)
    after = weights()
    assert {name: after.get(name) for name in before} == before, "the example changes what ships"


def test_every_command_has_an_example_and_those_that_do_not_run_exist():
    commands = {command_of(example) for example in examples()}
    assert len(commands) > 12
    assert set(NOT_RUN) <= commands
