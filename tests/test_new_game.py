"""The page docs/add-a-game.md: following it adds a game that passes the checks of all games and plays a tournament."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import FENCE

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/add-a-game.md").read_text(encoding="utf-8")
PARTS = ("tantra_envs", "agents", "training", "benchmarks", "configs", "tests", "pyproject.toml")
# Where a reader puts the files of the page, by their marks.
FOLDERS = {
    "nim/": "tantra_envs/games/",
    "nim_v0": "tantra_envs/",
    "nim.toml": "configs/games/",
    "contract": "tests/games/nim/",
}
USE = """
import gymnasium
from tantra_envs import nim_v0
env = gymnasium.make("tantra_envs/Nim-v0", variant="long", opponents="scripted")
env.reset(seed=1)
print(env.step(0)[0].tolist(), nim_v0.env().metadata["name"])
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the project without Nim."""
    copy = tmp_path_factory.mktemp("checkout")
    for part in PARTS:
        source, ignored = ROOT / part, shutil.ignore_patterns("__pycache__", "golden", "new_game")
        (shutil.copytree(source, copy / part, ignore=ignored) if source.is_dir() else shutil.copy(source, copy / part))
    return copy


@pytest.fixture(scope="module")
def printed(checkout) -> dict[str, str]:
    """What the commands of the page print, run in its order while its files are written."""
    return {command: output for section in steps() for command, output in follow(checkout, section)}


def steps() -> list[str]:
    """The ten steps of the page."""
    return re.findall(r"^## \d+\. .*?(?=^## )", PAGE, re.MULTILINE | re.DOTALL)


def follow(checkout: Path, section: str) -> Iterator[tuple[str, str]]:
    """Write the files of a step and run its checks."""
    for mark, code in re.findall(r"<!-- ([\w./]+) -->\n```\w+\n(.*?)```", section, re.DOTALL):
        write(checkout, mark, code)
    if "`GAMES`" in section:
        games = checkout / "tantra_envs/games/__init__.py"
        line = re.search(r'GAMES = \{"nim": "v0", ', section)[0]
        games.write_text(games.read_text(encoding="utf-8").replace("GAMES = {", line), encoding="utf-8")
    for block in FENCE.finditer(section):
        for command in [] if block["kind"] else block["code"].splitlines():
            yield command, run(checkout, *shlex.split(command)[1:])


def write(checkout: Path, mark: str, code: str) -> None:
    folder = next(folder for start, folder in FOLDERS.items() if mark.startswith(start))
    file = checkout / folder / mark
    file.parent.mkdir(exist_ok=True)
    file.write_text(code, encoding="utf-8")
    if mark == "contract.py":
        (file.parent / "__init__.py").touch()


def run(checkout: Path, *words: str) -> str:
    """What Python prints in the checkout."""
    own = {**os.environ, "NUMBA_CACHE_DIR": str(checkout / "cache"), "PYTHONPATH": str(checkout)}
    done = subprocess.run([sys.executable, *words], cwd=checkout, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_the_page_has_ten_steps_with_a_check_each():
    assert len(steps()) == 10
    assert all("\n```\npython " in section for section in steps())


def test_every_check_of_the_page_succeeds(printed):
    """The last commands are the checks of all games and a tournament."""
    commands = list(printed)
    assert any(command.startswith("python -m pytest") for command in commands)
    assert "passed" in printed[commands[-2]]
    assert "scripted" in printed[commands[-1]] and "search:8" in printed[commands[-1]]


def test_the_game_is_found_everywhere(checkout, printed):
    assert "nim_v0" in run(checkout, "-c", USE)
    assert "nim" in printed["python -m tantra_envs list"]
