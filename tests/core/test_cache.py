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


def test_a_copy_of_the_package_compiles_nothing(package):
    assert play(package) == ([1, 4, 0], "")


@pytest.mark.parametrize("pattern", ["*.nbi", "*.nbc"])
def test_a_damaged_file_is_removed_with_one_line_and_compiled_again(package, pattern):
    files = sorted((package.parents[1] / "cache").rglob(pattern))
    assert {"rules.apply_rows", "rules.apply", "material.counted"} <= {file.name.partition("-")[0] for file in files}
    for number, file in enumerate(files):
        file.write_bytes(file.read_bytes()[: (0, 40, -7)[number % 3]])
    found, told = play(package)
    assert found[:2] == [1, 4]
    assert 1 <= told.count("is damaged") <= len({file.parent for file in files})
    assert play(package) == ([1, 4, 0], "")


STEP_ROW = (
    PLAY.partition("states, rows")[0]
    + """
from tantra_envs.core.compiled.starting import wait_for_code
wait_for_code()
states, mask, view = np.zeros(1, STATE), np.zeros(1, np.int8), np.zeros(1, np.float32)
DRIVERS.step_row(states, 0, 0, np.zeros(1, np.int8), np.ones((1, 1), np.float32), view, mask)
print(int(view[0]))
print(*compiled, file=sys.stderr)
"""
)


def test_a_new_entry_point_loads_the_kernels_that_another_one_compiled(package):
    """`step_row` needs `apply`, `counted` and `legal_actions`, which `apply_rows` and the playouts needed too."""
    numbers, compiled = play(package, "import sys\n" + STEP_ROW)
    assert numbers == [1]
    assert set(compiled.split()) == {"step_row", "observe", "to_float"}


CALLER = """
from tantra_envs.core.compiled.jit import entry_point, kernel
from tantra_envs.core.compiled.starting import entry_of
from tantra_envs.games.toy import DRIVERS

apply_rows = entry_of(DRIVERS.apply_rows)

@kernel
def repeat(states, rows, actions):
    apply_rows(states, rows, actions)
    apply_rows(states, rows, actions)

@entry_point
def play(states, rows, actions):
    repeat(states, rows, actions)
"""

CALL = (
    PLAY.partition("DRIVERS.apply_rows")[0]
    + """
import caller
actions = np.zeros(2, np.int64)
caller.play(states, rows, actions)
DRIVERS.apply_rows(states, rows, actions)
print(int(states["count"][0]))
"""
)


def test_an_entry_point_that_a_kernel_has_loaded_is_called_by_python(package):
    """Its stored machine code stays machine code, and is not taken for that of a kernel, which has none."""
    (package.parent / "caller.py").write_text(CALLER, encoding="utf-8")
    assert play(package, CALL)[0] == [3]


AGENT = """
from tantra_envs.core.compiled.jit import kernel

@kernel
def decide(known, mask, work):
    return 0

@kernel
def rate(known, mask, work, values):
    values[0] = {number}
"""

RATE = """
import importlib

import numpy as np
from tantra_envs.core.compiled.drivers import with_player
from tantra_envs.games.toy import DRIVERS
from tantra_envs.games.toy.rules import STATE

for name in {names}:
    agent, values = importlib.import_module(name), np.zeros((1, 1))
    drivers = with_player(DRIVERS, agent)
    drivers.rate_rows(np.zeros(1, STATE), np.ones((1, 1), np.int8), np.zeros(1), values)
    print(int(values[0, 0]))
"""


def test_the_code_of_one_agent_is_not_taken_for_that_of_another(package):
    """Their kernels have the same names, lines, types and byte code. One is edited in the end."""
    for number, folder in enumerate(("one", "two"), start=1):
        file = package.parent / folder / "player.py"
        file.parent.mkdir()
        (file.parent / "__init__.py").touch()
        file.write_text(AGENT.format(number=number))
    (package.parent / "player.py").write_text(AGENT.format(number=3))

    def rated(*names: str) -> list[int]:
        return play(package, RATE.format(names=names))[0]

    assert [rated(name) for name in ("one.player", "two.player", "player")] == [[1], [2], [3]]
    assert rated("player", "two.player", "one.player") == [3, 2, 1]
    file.write_text(AGENT.format(number=7))
    assert rated("two.player", "one.player") == [7, 1]


GAMES = """
import importlib

import numpy as np
from tantra_envs.core.features import features_of

for name in {names}:
    game = importlib.import_module("tantra_envs.games." + name)
    rules, features = (importlib.import_module(f"{{game.__name__}}.{{part}}") for part in ("rules", "features"))
    states, rows, described = np.zeros(2, rules.STATE), np.arange(2), np.zeros((2, 1), np.float32)
    of_game = features_of(features, rules, rules.FIELDS.conceal)
    game.DRIVERS.deal_rows(states, rows, rows)
    game.DRIVERS.apply_rows(states, rows, np.zeros(2, np.int64))
    work = np.ones((2, 1), np.int8), states[:1].copy(), states, rows.copy(), described, described.copy()
    of_game.describe_rows(states, rows, 0 * rows, *work)
    print(int(states["count"][0]), int(described[0, 0]))
"""

FEATURES = """
from ...core.blocks import Block, Blocks
from ...core.compiled.jit import kernel
from .material import STEP

OF_ACTION = OF_TABLE = Blocks(Block("step", 1, "ten steps"))

def prepare(game):
    return None

@kernel
def describe_legal(known, mask, room, features, table):
    features[0, 0] = 10 * STEP
    return 1
"""


def test_two_games_never_load_the_code_of_each_other(package):
    """The second game is a copy of the first, but it counts in steps of 2. Their records have the same type."""
    toy = package / "games" / "toy"
    (toy / "features.py").write_text(FEATURES)
    shutil.copytree(toy, package / "games" / "toys", ignore=shutil.ignore_patterns("__pycache__"))
    material = package / "games" / "toys" / "material.py"
    material.write_text(material.read_text().replace("STEP = 1", "STEP = 2"))
    alone = [play(package, GAMES.format(names=(name,)))[0] for name in ("toy", "toys")]
    assert alone == [[1, 10], [2, 20]]
    assert play(package, GAMES.format(names=("toys", "toy")))[0] == [2, 20, 1, 10]


LAYOUTS = """
import numpy as np
from tantra_envs.core.compiled.jit import entry_point, kernel

@kernel
def mixed(s, n):
    total = 0
    for i in range(n):
        total += (s.a * i) % 7 + (s.a ^ i) + (total >> 3) * (s.a % 5)
        if total % 11 == 3:
            total -= s.a // (i + 1)
        if total % 13 == 3:
            total ^= s.a * 3
        if total % 17 == 3:
            total += (s.a % (i + 3)) * (s.a % (i + 4))
        if total % 19 == 3:
            total += (s.a % (i + 3)) * (s.a % (i + 4)) // (total % 3 + 1)
        if total % 23 == 3:
            total += (s.a % (i + 3)) * (s.a % (i + 4)) // (total % 5 + 1)
    return total

@entry_point
def run(rows, n):
    return mixed(rows[0], n) + 2 * mixed(rows[1], n + 3) + mixed(rows[2], 2)

def result(*names):
    rows = np.zeros(3, [(name, np.int64) for name in names])
    rows["a"], rows["b"] = (5, 9, 12), 1000
    return run(rows, 10)
"""


def test_code_that_two_processes_compiled_for_two_records_stays_apart(package):
    """Without numbers of their own both processes would give the kernel, too long to be inlined, the same symbol."""
    (package.parent / "layouts.py").write_text(LAYOUTS)
    first, second = "result('a', 'b')", "result('b', 'a')"
    numbers = [
        play(package, f"import layouts\nfrom layouts import result\nprint({calls})")[0]
        for calls in (first, second, f"{first}, {second}, layouts.run.stats.cache_hits.total()")
    ]
    assert numbers == [[9103], [9103], [9103, 9103, 2]]


def test_two_processes_do_not_write_their_code_to_one_file(package):
    """Each of them begins a folder without an index, as they do at the same time."""
    (package.parent / "layouts.py").write_text(LAYOUTS)
    names = []
    for layout in ("'a', 'b'", "'b', 'a'"):
        play(package, f"from layouts import result\nprint(result({layout}))")
        (folder,) = (package.parents[1] / "cache").glob("tantra_envs/layouts-*")
        names += [file.name for file in folder.rglob("*.nbc")]
        shutil.rmtree(folder)
    assert len(names) == len(set(names)) == 4


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


NOBODY = """
import os
import pwd

def missing(_):
    raise KeyError

os.environ.pop("HOME", None)
pwd.getpwuid = missing
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no password database")
def test_a_user_without_a_home_folder_plays_without_a_cache(package):
    found, told = play(package, NOBODY + PLAY, NUMBA_CACHE_DIR="", XDG_CACHE_HOME="")
    assert found[:2] == [1, 4] and found[2] > 0
    assert told.count("no cache folder can be written") == 1


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
