"""The examples in the help of all commands run as they stand, one after the other in one folder and one process."""

from __future__ import annotations

import re
import shlex
from itertools import chain
from pathlib import Path

import pytest

pytest.importorskip("polars")
pytest.importorskip("torch")

from benchmarks.harness import plans
from docs._site.commands import PROGRAMS, help_of
from tantra_envs.opponents import learned
from tantra_envs.programs import cli

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = re.compile(r"^Example: python -m (.+)$", re.MULTILINE)
FEW = "--total-decisions 300 --tables 16 --steps 8 --eval-deals 2 --final-deals 2"
SHORT = {  # options behind those of the example, where the last one counts, so that it takes seconds
    "tantra_envs warmup": "--jobs 1",
    "training ppo": FEW,
    "training q-learning": f"{FEW} --name q-learning",
    "training critic": "--games 1024 --epochs 1 --net-arch 8",
    "training evaluate": "--deals 2",
    "benchmarks tournament": "--deals 4 --workers 1",
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
    "training examples": "trains with other trainers: tests/adapters",
    "training strength": "trains for minutes: tests/training/test_strength.py",
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
    "runs/sixty": "benchmarks play sixty.toml --deals 2",
    "runs/first": "training ppo karma --total-decisions 100_000 --name first",
}


def examples() -> list[str]:
    texts = [help_of(program, name) for program, names in PROGRAMS.items() for name in names]
    return sorted({example for text in texts for example in EXAMPLE.findall(text)})


def command_of(example: str) -> str:
    """Return the program and the command of an example, such as "tantra_envs warmup"."""
    return " ".join(example.split()[:2])


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The folder of a reader, with an agent and a plan."""
    folder = tmp_path_factory.mktemp("examples")
    for name, text in {"my_agent.py": BOT, "sixty.toml": PLAN}.items():
        (folder / name).write_text(text, encoding="utf-8")
    plans._agent.cache_clear()  # other tests have other agents of this name
    return folder


def run(words: str) -> None:
    """Run a command in this process and folder."""
    program, *rest = shlex.split(f"{words} {SHORT.get(command_of(words), '')}")
    filled = chain.from_iterable(sorted(map(str, Path().glob(word))) if "*" in word else [word] for word in rest)
    assert cli.run_program(program, PROGRAMS[program], list(filled)) == 0, words


def weights(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}


@pytest.mark.whole
@pytest.mark.parametrize("example", examples(), ids=lambda words: re.sub(r"\W+", "-", words))
def test_the_example_of_a_help_text_runs_and_leaves_what_ships(example, folder, tmp_path, monkeypatch):
    command = command_of(example)
    if command in NOT_RUN:
        pytest.skip(NOT_RUN[command])
    monkeypatch.chdir(folder)
    shipped = learned.WEIGHTS
    before = weights(shipped)
    if command == "training export":  # it would ship them
        monkeypatch.setattr(learned, "WEIGHTS", tmp_path)
    for name, maker in NEEDED.items():
        if name in example and not Path(name).exists():
            run(maker)
    if example not in NEEDED.values() or not (folder / "runs/first").exists():
        run(example)
    after = weights(shipped)
    assert {name: after.get(name) for name in before} == before, "the example changes what ships"


def test_every_command_has_an_example_and_those_that_do_not_run_exist():
    commands = {command_of(example) for example in examples()}
    assert len(commands) > 20
    assert set(NOT_RUN) <= commands
