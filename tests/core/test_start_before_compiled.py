"""A single table plays at once, as plain Python, and changes over to machine code between two steps."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tantra_envs
from tantra_envs.core.compiled import starting
from tantra_envs.core.compiled.jit import PURE_PYTHON
from tantra_envs.games import SHIPPED
from tantra_envs.games.kanastic.melds import table_points_rows

AT_ONCE = [driver for driver, when in starting.SINGLE.items() if when == starting.AT_ONCE]
pytestmark = pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
FIRST = """
import sys
from tantra_envs.core.compiled import starting
starting.Compiler.compiles = lambda self, name: True  # it never ends
import tantra_envs
for name in sys.argv[1:]:
    env = tantra_envs.make_raw(name)
    env.reset(seed=3)
    for _ in range(12):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    print(env.unwrapped.state().tobytes().hex() if hasattr(env.unwrapped, "state") else env.position())
"""


def played(game, steps):
    """Return the bytes of a table after some steps by the first legal action, with the drivers of the game."""
    state = game.new(3)
    for _ in range(steps):
        game.apply_action(state, game.legal(state)[0])
    return state.tobytes()


def bound(name):
    """Return a game whose single tables have not been compiled, as in the first process on a machine."""
    game = tantra_envs.game(name)
    entries = {driver: starting.entry_of(getattr(game.drivers, driver)) for driver in starting.SINGLE}
    return game, entries


@pytest.mark.parametrize("name", SHIPPED)
def test_plain_drivers_play_as_compiled_ones(name, monkeypatch):
    game, entries = bound(name)
    wanted, states = played(game, 12), game.new(3)
    compact, mask = np.zeros(game.view.size, game.view.dtype), np.zeros(game.actions.size, np.int8)
    view, factors = np.zeros(game.view.size, np.float32), game.view.factors
    step = starting.proxies.wrapped(starting.plain(entries["step_row"].py_func))
    mask[:] = game.mask(states)
    for _ in range(12):
        assert step(states, 0, int(mask.argmax()), compact, factors, view, mask) >= 0
    assert states.tobytes() == wanted
    assert (mask == game.mask(states)).all() and (view == game.observation(states, int(states["seat"][0]))).all()


def test_a_driver_changes_over_between_two_calls(monkeypatch):
    game, entries = bound("karma")
    asked, stored = [], []
    monkeypatch.setattr(starting.Starting, "waits", False)
    monkeypatch.setattr(starting.numba_private, "is_stored", lambda entry: bool(stored))
    driver = starting.Starting(entries["apply_row"].py_func, entries["apply_row"], lambda: not asked.append(1))
    monkeypatch.setattr(driver, "entry", lambda *arguments: calls.append(arguments) or entries["apply_row"](*arguments))
    calls, states = [], [game.new(1), game.new(1)]
    for number in range(6):
        stored.extend([True] * (number == 3))
        action = game.legal(states[0])[0]
        driver(states[0], 0, action)
        entries["apply_row"](states[1], 0, action)
        assert states[0].tobytes() == states[1].tobytes()
        assert len(calls) == max(0, number - 2) and len(asked) == min(number + 1, 3)


@pytest.mark.parametrize("reason", ["tables", "waits", "ended"])
def test_it_waits_for_the_compiler_where_plain_python_would_take_longer(reason, monkeypatch):
    game, entries = bound("karma")
    calls, tables = [], 2 if reason == "tables" else 1
    monkeypatch.setattr(starting.numba_private, "is_stored", lambda entry: False)
    monkeypatch.setattr(starting.Starting, "waits", reason == "waits")
    driver = starting.Starting(entries["deal_rows"].py_func, entries["deal_rows"], lambda: reason != "ended")
    monkeypatch.setattr(driver, "entry", lambda *arguments: calls.append(arguments))
    driver(game.blanks(tables), np.arange(tables), np.arange(tables))
    assert len(calls) == 1


def test_what_tables_seldom_need_is_compiled_after_many_calls_or_for_many_tables(monkeypatch):
    monkeypatch.setattr(starting.numba_private, "is_stored", lambda entry: False)
    monkeypatch.setattr(starting.Starting, "waits", False)
    monkeypatch.setattr(starting, "PATIENCE", 3)
    for tables in (1, 2):
        compiled = []
        points = starting.seldom(starting.entry_of(table_points_rows).py_func)
        monkeypatch.setattr(points, "entry", lambda *arguments, calls=compiled: calls.append(arguments))
        for number in range(5):
            points(tantra_envs.game("kanastic").blanks(tables), np.zeros((tables, 4)))
            assert len(compiled) == (number + 1 if tables > 1 else max(0, number - 2))


class Process:
    def __init__(self, command, **_):
        self.command, self.code = command, None
        PROCESSES.append(self)

    def poll(self):
        return self.code


PROCESSES: list[Process] = []


def test_one_process_at_a_time_compiles_a_game_and_nothing_twice(monkeypatch):
    monkeypatch.setattr(starting.subprocess, "Popen", Process)
    PROCESSES.clear()
    compiler = starting.Compiler("tantra_envs.games.karma")
    assert all(compiler.compiles(name) for name in ("deal_rows", "step_row", "redeal_rows", "redeal_rows"))
    (first,) = PROCESSES
    assert first.command[3:] == [str(starting.PACKAGE), "tantra_envs.games.karma", *sorted(AT_ONCE)]
    first.code = 0
    assert not compiler.compiles("step_row")  # it has ended: the machine code is there, or was not to be had
    assert compiler.compiles("redeal_rows") and len(PROCESSES) == 2
    assert PROCESSES[1].command[5:] == ["redeal_rows"]
    PROCESSES[1].code = 1
    assert not compiler.compiles("redeal_rows") and len(PROCESSES) == 2


def test_where_no_process_can_be_started_the_own_one_compiles(monkeypatch):
    def refused(*_, **__):
        raise OSError

    monkeypatch.setattr(starting.subprocess, "Popen", refused)
    assert not starting.Compiler("tantra_envs.games.karma").compiles("deal_rows")
    monkeypatch.setattr(starting.sys, "executable", None)
    assert not starting.Compiler("tantra_envs.games.karma").compiles("deal_rows")


def test_an_empty_cache_plays_at_once_and_compiles_beside(tmp_path):
    """The first process does not wait; the other one leaves machine code, which a third process loads and no more."""
    cache = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    program = FIRST.partition("starting.Compiler")[0] + FIRST.partition("ends\n")[2]
    command = [sys.executable, "-c", FIRST, "karma"]
    plain = subprocess.run(command, env=cache, capture_output=True, text=True, check=True).stdout
    assert not list(tmp_path.rglob("*.nbi"))
    ahead = [sys.executable, "-X", "importtime", "-c", starting.AHEAD]
    ahead += [str(starting.PACKAGE), "tantra_envs.games.karma", *AT_ONCE]
    imported = subprocess.run(ahead, env=cache, check=True, capture_output=True, text=True).stderr
    assert "numba" in imported and "gymnasium" not in imported
    stored = {file.name.partition("-")[0] for file in tmp_path.rglob("*.nbi")}
    assert {f"rules.{name}" for name in AT_ONCE} <= stored
    command[2] = f"{program}print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(command, env=cache, capture_output=True, text=True, check=True)
    assert done.stdout == plain and "compiling" not in done.stderr
    assert "numba.core.dispatcher" in done.stderr and "numba.np.linalg" not in done.stderr
