"""Compiled kernels among themselves."""

import operator
from unittest import mock

import numpy as np
import pytest

from tantra_envs.core.compiled import jit
from tantra_envs.core.compiled.jit import PURE_PYTHON, kernel

# Without a cache: what is looked at below is compiled here and now, whatever earlier runs have left.
NO_CACHE = mock.patch.object(jit, "cache_folder", lambda source: None)


@pytest.fixture(autouse=True)
def no_cache():
    """A kernel that Python calls gets machine code at its first call, and would store it then."""
    with NO_CACHE:
        yield


with NO_CACHE:

    @kernel
    def twice(number):
        return 2 * number

    @kernel
    def caller(small):
        return twice(small[0]) + twice(100) + twice(int(small[0]) + 1)


def test_python_may_call_a_kernel_before_and_after_its_callers_do():
    assert twice(3) == 6
    assert caller(np.array([1])) == 2 + 200 + 4
    assert twice(3) == 6


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
def test_a_kernel_is_compiled_once_for_numbers_of_all_widths_and_constants():
    assert caller(np.array([100], np.int8)) == 200 + 200 + 202
    assert [str(kind) for signature in twice.signatures for kind in signature] == ["int64"]


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
def test_an_allocation_does_not_compile():
    @kernel
    def allocating(numbers):
        return np.zeros(len(numbers))[0]

    with pytest.raises(Exception, match="zeros"):
        allocating(np.array([1]))


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
def test_what_is_replaced_in_the_compiler_gives_the_same():
    from numba.core import compiler, ir

    flags = compiler.Flags()
    flags.nrt = True
    assert flags.values() == {name: getattr(flags, name) for name in flags.options}
    places = {"loc": ir.unknown_loc}
    a, b, c = (ir.Var(None, name, **places) for name in "abc")
    call = ir.Expr.call(a, [b, (c, "text")], {"named": b}, **places)
    assert ir.Assign(call, c, **places).list_vars() == [a, b, c, b, c]


@pytest.mark.skipif(PURE_PYTHON, reason="nothing is compiled")
def test_a_call_has_the_types_that_the_compiler_finds_each_time(monkeypatch):
    from numba import float64, int64
    from numba.core.registry import cpu_target

    assert not jit.numba_private._call_types  # nothing is kept from one entry point to the next
    context, found = cpu_target.typing_context, {}
    plus, minus = context.resolve_value_type(operator.add), context.resolve_value_type(operator.sub)
    calls = [(plus, int64, int64), (plus, int64, float64), (minus, int64, int64), (plus, int64, int64)]
    monkeypatch.setattr(jit.numba_private, "_call_types", found)
    for rounds in ([], [1]):
        monkeypatch.setattr(jit.numba_private, "_rounds", rounds)
        for function, *types in calls:
            wanted = jit.numba_private._resolve(function, context, types, {})
            assert function.get_call_type(context, types, {}) == wanted
        assert len(found) == (3 if rounds else 0)


class Compiling:
    """Compiles functions of a game for the notice, with a separate clock."""

    def __init__(self, monkeypatch):
        self.notice, self.now = jit.CompileNotice(), 100.0
        monkeypatch.setattr(jit.time, "perf_counter", lambda: self.now)

    def __call__(self, seconds, module="tantra_envs.games.karma.rules", within=()):
        def step_row():
            pass

        step_row.__module__ = module
        self.notice.start(step_row)
        for part in within:
            self(part)
        self.now += seconds
        self.notice.end()


def test_compiling_a_game_is_announced_once_and_its_progress_every_ten_seconds(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(jit, "cache_folder", lambda source: str(tmp_path))
    compiling = Compiling(monkeypatch)
    compiling(4)
    compiling.now += 1000  # of play
    compiling(5)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("tantra_envs: compiling karma, some seconds (once; kept in ")
    compiling(2)
    compiling(0, within=(3, 4, 9, 1))  # 11, 14, 18 and 27 seconds when they begin
    assert capsys.readouterr().err.splitlines() == [
        "tantra_envs: compiling karma, 11 s so far (step_row)",
        "tantra_envs: compiling karma, 27 s so far (step_row)",
    ]
    compiling = Compiling(monkeypatch)  # another process
    compiling(4)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(jit, "cache_folder", lambda source: None)
    Compiling(monkeypatch)(4)
    assert "compiling karma, some seconds (at every start" in capsys.readouterr().err


def test_other_code_and_silenced_games_are_not_announced(monkeypatch, capsys):
    compiling = Compiling(monkeypatch)
    compiling.notice.silence("tarot")
    for module in ("tantra_envs.games.tarot.rules", "tantra_envs.core.compiled.network", "my_agent", None):
        compiling(50, module)
        compiling(50, module)
    assert capsys.readouterr().err == ""
