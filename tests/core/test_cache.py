"""Compiled code on disk: found when nothing changed, never stale, never in the way. On a small separate package."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tantra_envs

PLAY = """
import numpy as np
from numba.core import event
from tantra_envs.games.toy import DRIVERS
from tantra_envs.games.toy.rules import STATE

compiled = []

class Listener(event.Listener):
    def on_start(self, event): compiled.append(event.data["dispatcher"].py_func.__name__)
    def on_end(self, event): pass

event.register("numba:compile", Listener())
states, rows = np.zeros(2, STATE), np.arange(2)
DRIVERS.deal_rows(states, rows, rows)
DRIVERS.apply_rows(states, rows, np.zeros(2, np.int64))
count = int(states["count"][0])
plies = DRIVERS.random_playouts(states, np.zeros(1, np.int8), 0, 2)
print(count, plies, len(compiled))
"""


def written(folder: Path) -> Path:
    """Write a package `tantra_envs` that holds the core and one toy game."""
    source = Path(tantra_envs.__file__).parent
    target = folder / "somewhere" / "tantra_envs"
    target.mkdir(parents=True)
    (target / "__init__.py").touch()
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source / "core", target / "core", ignore=without)
    shutil.copytree(Path(__file__).parent / "toy", target / "games" / "toy", ignore=without)
    (target / "games" / "__init__.py").touch()
    return target


def play(package: Path, program: str = PLAY, **environment: str) -> tuple[list[int], str]:
    """Run a program in a new process: the numbers it prints, and its stderr.

    Those of `PLAY` are the count after one move, plies of two playouts, and kernels compiled.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    cache = {"NUMBA_CACHE_DIR": str(package.parents[1] / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**kept, **cache, **environment},
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()], done.stderr


@pytest.fixture(scope="module")
def first_use(tmp_path_factory) -> Path:
    """A folder with the package and the cache that its first process leaves. It is compiled once, which takes long."""
    folder = tmp_path_factory.mktemp("first") / "use"
    (count, plies, compiled), told = play(written(folder))
    assert (count, plies) == (1, 4)
    assert compiled > 0
    assert told.count("once; kept in") == 1
    return folder


@pytest.fixture
def package(first_use, tmp_path) -> Path:
    """A copy of the package and of its cache after its first use, at another place for every test."""
    shutil.copytree(first_use, tmp_path / "copy")
    return tmp_path / "copy" / "somewhere" / "tantra_envs"


def test_another_process_compiles_nothing_and_says_nothing(first_use):
    assert play(first_use / "somewhere" / "tantra_envs") == ([1, 4, 0], "")


def test_a_copy_of_the_package_compiles_nothing(package):
    assert play(package) == ([1, 4, 0], "")


@pytest.mark.parametrize("pattern", ["*.nbi", "*.nbc"])
def test_a_damaged_file_is_removed_with_one_line_and_compiled_again(package, pattern):
    files = sorted((package.parents[1] / "cache").rglob(pattern))
    assert len(files) == 3
    for number, file in enumerate(files):
        file.write_bytes(file.read_bytes()[: (0, 40, -7)[number % 3]])
    found, told = play(package)
    assert found[:2] == [1, 4]
    assert told.count("is damaged") == 1
    assert play(package) == ([1, 4, 0], "")


RATE = """
import types

import numpy as np
from tantra_envs.core.compiled.drivers import with_player
from tantra_envs.core.compiled.jit import kernel
from tantra_envs.games.toy import DRIVERS
from tantra_envs.games.toy.rules import STATE

@kernel
def decide(known, mask, work):
    return 0

@kernel
def rate(known, mask, work, values):
    values[0] = {number}

agent = types.ModuleType("agents.agent_{number}")
agent.decide, agent.rate = decide, rate
values = np.zeros((1, 1))
with_player(DRIVERS, agent).rate_rows(np.zeros(1, STATE), np.ones((1, 1), np.int8), np.zeros(1), values)
print(int(values[0, 0]))
"""


def test_the_code_of_one_agent_is_not_taken_for_that_of_another(package):
    """The kernels of both have the same types."""
    assert [play(package, RATE.format(number=number))[0] for number in (1, 2, 1)] == [[1], [2], [1]]


def test_an_edited_helper_in_another_file_is_compiled_anew_and_taken_back_found_again(package):
    helper = package / "games" / "toy" / "material.py"
    before = helper.read_text()
    helper.write_text(before.replace("STEP = 1", "STEP = 2"))
    (count, plies, compiled), told = play(package)
    assert (count, plies) == (2, 2)
    assert compiled > 0
    assert "compiling toy" in told
    helper.write_text(before)
    assert play(package) == ([1, 4, 0], "")


def test_where_no_cache_can_be_written_it_plays_all_the_same(tmp_path):
    package = written(tmp_path)
    (tmp_path / "file").write_text("below a regular file nothing can be written, not even by root")
    below = str(tmp_path / "file" / "cache")
    for path in (package, *package.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    found, told = play(package, HOME=below, XDG_CACHE_HOME=below, LOCALAPPDATA=below, NUMBA_CACHE_DIR="")
    assert found[:2] == [1, 4]
    assert told.count("no cache folder can be written") == 1
    assert not list(package.rglob("*.nbi"))


def test_pure_python_gives_the_same_result(tmp_path):
    assert play(written(tmp_path), NUMBA_DISABLE_JIT="1") == ([1, 4, 0], "")


def test_what_nothing_used_for_a_month_is_cleared_away_and_nothing_else(package):
    root = package.parents[1] / "cache" / "tantra_envs"
    used = list(root.iterdir())
    names = (f"toy-{20 * 'a'}", f"toy-{20 * 'b'}", "my-notes", f"../toy-{20 * 'c'}")
    old, young, foreign, above = made = [root / name for name in names]
    for folder in made:
        folder.mkdir()
        (folder / "code.nbc").touch()
    long_ago = time.time() - 31 * 24 * 3600
    for folder in (old, foreign, above, *used):
        os.utime(folder, (long_ago, long_ago))
    assert play(package) == ([1, 4, 0], "")  # what is used is not cleared away, old as it was
    assert [folder.exists() for folder in (old, young, foreign, above)] == [False, True, True, True]
