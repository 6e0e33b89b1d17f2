"""A new game is five places: folder, line, module, configs and tests. A small one is added by just these."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("tantra_envs", "agents", "training", "benchmarks", "configs", "tests", "pyproject.toml")
USE = """
import gymnasium
from tantra_envs import nim_v0
env = gymnasium.make("tantra_envs/Nim-v0", variant="long", opponents="scripted")
env.reset(seed=1)
print(env.step(0)[0].tolist(), nim_v0.env().metadata["name"])
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A copy of the project with Nim in it."""
    copy = tmp_path_factory.mktemp("checkout")
    for part in PARTS:
        source, ignored = ROOT / part, shutil.ignore_patterns("__pycache__", "golden")
        (shutil.copytree(source, copy / part, ignore=ignored) if source.is_dir() else shutil.copy(source, copy / part))
    nim, tests = copy / "tests/new_game", copy / "tests/games/nim"
    shutil.move(nim / "nim", copy / "tantra_envs/games/nim")  # its folder
    games = copy / "tantra_envs/games/__init__.py"
    text = games.read_text(encoding="utf-8")
    games.write_text(text.replace("GAMES = {", 'GAMES = {"nim": "v0", '), encoding="utf-8")  # one line
    shutil.move(nim / "nim_v0.py", copy / "tantra_envs/nim_v0.py")  # its module
    shutil.move(nim / "nim.toml", copy / "configs/games/nim.toml")  # its configs
    tests.mkdir()
    shutil.move(nim / "contract.py", tests / "contract.py")  # its test folder
    (tests / "__init__.py").touch()
    return copy


def run(checkout: Path, *words: str) -> str:
    """What Python prints in the checkout."""
    own = {**os.environ, "NUMBA_CACHE_DIR": str(checkout / "cache"), "PYTHONPATH": str(checkout)}
    done = subprocess.run([sys.executable, *words], cwd=checkout, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return done.stdout


def test_it_passes_the_checks_of_all_games(checkout):
    files = [f"tests/contract/test_{name}.py" for name in ("contract", "pettingzoo", "gymnasium")]
    told = run(checkout, "-m", "pytest", "-p", "no:cacheprovider", "-k", "nim", "-rA", *files)
    assert told.count("PASSED") > 15


def test_it_is_found_everywhere(checkout):
    assert "nim_v0" in run(checkout, "-c", USE)
    assert "nim" in run(checkout, "-m", "tantra_envs", "list")


def test_its_players_meet_in_a_tournament(checkout):
    words = ("nim", "--agents", "uniform", "scripted", "--deals", "20", "--name", "nim")
    told = run(checkout, "-m", "benchmarks", "tournament", *words)
    assert "scripted" in told
