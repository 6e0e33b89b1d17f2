"""Compiled code on disk: found when nothing changed, never stale, never in the way. On a small separate package."""

import functools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tantra_envs
from tantra_envs.core.compiled.stored import _CheckedFiles

PLAY = """
import numpy as np
{first}
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


ROADS = {"linked": {}, "plain": {"TANTRA_ENVS_PLAIN_JIT": "1"}}  # the two ways of compiling


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


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The package before its first use."""
    return written(tmp_path)


def play(package: Path, first: str = "", **environment: str) -> tuple[list[int], str]:
    """Play in a new process: count after one move, plies of two playouts, kernels compiled; and its stderr.

    `first`: what the process does before anything is compiled.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    cache = {"NUMBA_CACHE_DIR": str(package.parents[1] / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", PLAY.replace("{first}", first)],
        env={**kept, **cache, **environment},
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()], done.stderr


@pytest.fixture(scope="module")
def first_use(tmp_path_factory) -> Callable[[str], Path]:
    """The cache that a first process leaves on a road. Each is compiled once for all tests, because that takes long."""

    @functools.cache
    def used(road: str) -> Path:
        folder = tmp_path_factory.mktemp(road)
        (count, plies, compiled), told = play(written(folder), **ROADS[road])
        assert (count, plies) == (1, 4)
        assert compiled > 0
        assert told.count("compiling toy") == 1
        return folder / "cache"

    return used


@pytest.fixture(params=ROADS)
def road(request, package, first_use) -> dict[str, str]:
    """The settings of one of the two ways of compiling, on which the package was used before."""
    shutil.copytree(first_use(request.param), package.parents[1] / "cache")
    return ROADS[request.param]


only_linked = pytest.mark.parametrize("road", ["linked"], indirect=True)


def test_another_process_compiles_nothing_and_says_nothing(package, road):
    """Nor does a copy of the sources in another place: the first process used one."""
    assert play(package, **road) == ([1, 4, 0], "")


@only_linked
@pytest.mark.parametrize("pattern", ["*.nbi", "*.nbc"])
def test_a_damaged_file_is_removed_with_one_line_and_compiled_again(package, road, pattern):
    files = sorted((package.parents[1] / "cache").rglob(pattern))
    assert len(files) == 3
    for number, file in enumerate(files):
        file.write_bytes(file.read_bytes()[: (0, 40, -7)[number % 3]])
    found, told = play(package, **road)
    assert found[:2] == [1, 4]
    assert told.count("is damaged") == 1
    assert play(package, **road) == ([1, 4, 0], "")


@only_linked
def test_flipped_bits_are_noticed_and_compiled_again(package, road):
    """Numba would unpickle most of these files, and run what they hold: each is damaged at another place."""
    files = sorted((package.parents[1] / "cache").rglob("*.nb?"))
    for number, file in enumerate(files):
        stored = bytearray(file.read_bytes())
        stored[number * (len(stored) - 1) // len(files)] ^= 1 << number % 8
        file.write_bytes(stored)
    found, told = play(package, **road)
    assert found[:2] == [1, 4]
    assert told.count("is damaged") >= 1
    assert play(package, **road) == ([1, 4, 0], "")


def test_no_byte_of_a_stored_file_can_change_unnoticed(tmp_path):
    files = _CheckedFiles(str(tmp_path), "kernel", "")
    files.save("signature", b"machine code")
    assert files.load("signature") == b"machine code"
    for file in tmp_path.iterdir():
        whole = file.read_bytes()
        for at in range(len(whole)):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
            with pytest.raises(ValueError, match="digest"):
                files.load("signature")
        file.write_bytes(whole)
    assert files.load("signature") == b"machine code"


def test_an_edited_helper_in_another_file_is_compiled_anew_and_taken_back_found_again(package, road):
    helper = package / "games" / "toy" / "material.py"
    before = helper.read_text()
    helper.write_text(before.replace("STEP = 1", "STEP = 2"))
    (count, plies, compiled), told = play(package, **road)
    assert (count, plies) == (2, 2)
    assert compiled > 0
    assert "compiling toy" in told
    helper.write_text(before)
    assert play(package, **road) == ([1, 4, 0], "")


def test_where_no_cache_can_be_written_it_plays_all_the_same(package, tmp_path):
    (tmp_path / "file").write_text("below a regular file nothing can be written, not even by root")
    below = str(tmp_path / "file" / "cache")
    for path in (package, *package.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    found, told = play(package, HOME=below, XDG_CACHE_HOME=below, LOCALAPPDATA=below, NUMBA_CACHE_DIR="")
    assert found[:2] == [1, 4]
    assert told.count("no cache folder can be written") == 1
    assert not list(package.rglob("*.nbi"))


def test_pure_python_gives_the_same_result(package):
    assert play(package, NUMBA_DISABLE_JIT="1") == ([1, 4, 0], "")


WITHOUT_LIBRARY = "import numba.core.codegen as c; del c.JITCodeLibrary"
WITHOUT_REPLACING = """
from numba.core.dispatcher import Dispatcher
template = Dispatcher.get_call_template
Dispatcher.get_call_template = property(lambda self: template.__get__(self))
"""


@pytest.mark.parametrize("another_numba", [WITHOUT_LIBRARY, WITHOUT_REPLACING], ids=["no class", "no setting"])
def test_a_numba_that_is_not_the_known_one_compiles_the_plain_way_and_says_so_once(package, another_numba):
    (count, plies, compiled), told = play(package, first=another_numba)
    assert (count, plies) == (1, 4)
    assert compiled > 0
    assert told.count("compiling the plain way") == 1


@only_linked
def test_what_nothing_used_for_a_month_is_cleared_away_and_nothing_else(package, road):
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
