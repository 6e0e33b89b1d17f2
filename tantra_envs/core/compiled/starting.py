"""A single table plays at once: a driver runs as plain Python while another process compiles it.

Rules give the same bytes in plain Python, in about a millisecond a step. `Starting` stands for a driver that no process
has compiled yet. It changes over between two calls, as soon as the machine code is on the disk. Calls for several
tables wait for the compiler. Functions that tables seldom need are not compiled for single ones: see `seldom`.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import subprocess
import sys
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from . import proxies
from .cache import PACKAGE, cache_folder, source_root
from .jit import PURE_PYTHON, F, Kernel, entry_point, numba_private
from .stack import plain_zeros

PATIENCE = 1000  # calls of a `seldom` function before it is compiled
AT_ONCE, LATER = "at once", "later"  # when a driver is compiled: with the first one, or when a table calls it
SINGLE: dict[str, str] = {}  # all drivers that may run as plain Python, by name, with one of these
# The program of the other process. Its arguments are the folder of `tantra_envs`, the package of a game, and drivers.
# To save half a second it leaves out the `__init__` of `tantra_envs`, which imports Gymnasium and PettingZoo, the
# collection of garbage, and the unloading of the compiler.
AHEAD = """
import gc, os, sys, types
gc.disable()
bare = sys.modules["tantra_envs"] = types.ModuleType("tantra_envs")
bare.__path__ = [sys.argv[1]]
from tantra_envs.core.compiled.ahead import main
main(sys.argv[2], sys.argv[3:])
os._exit(0)
"""


def wait_for_code() -> None:
    """Let this process wait for the compiler, also at single tables: it measures machine code, or makes it."""
    Starting.waits = True


def wait_for_compilers() -> None:
    """Return when no other process compiles for this one."""
    for compiler in _compilers.values():
        compiler.wait()


def startable(function: Kernel) -> Kernel:
    """Return the entry point of a driver of a game, which may run as plain Python first."""
    name = function.__name__
    entry = entry_point(function, 1 if SINGLE.get(name) == AT_ONCE else 2)
    code: Any = getattr(function, "__code__", None)
    source = source_root(code.co_filename)
    if PURE_PYTHON or name not in SINGLE or source is None or source.parent != PACKAGE / "games":
        return entry
    if cache_folder(source) is None or numba_private.is_stored(entry):
        return entry
    package = str(sys.modules[function.__module__].__package__)  # also of a game that is one file
    compiler = _compilers.setdefault(package, Compiler(package))
    return Starting(function, entry, lambda: compiler.compiles(name))


def seldom(function: F) -> F:
    """Mark an entry point that tables call now and then, for example to describe an action.

    For single tables it runs as plain Python PATIENCE times, which takes less time than the compiler.
    """
    entry: Any = entry_point(function)
    if PURE_PYTHON or numba_private.is_stored(entry):
        return entry  # type: ignore[no-any-return]
    calls = itertools.count()
    return Starting(function, entry, lambda: next(calls) < PATIENCE)  # type: ignore[return-value]


def entry_of(driver: Any) -> Kernel:
    """Return the entry point of a driver, for kernels that call it."""
    entry: Kernel = getattr(driver, "entry", driver)
    return entry


class Starting:
    """An entry point that runs as plain Python until its machine code is on the disk.

    Args:
        function: The function, not compiled.
        entry: The function as an entry point.
        may_wait: Returns whether the next call for a single table may do without machine code.
    """

    waits = False  # True = in this process they wait for their machine code

    def __init__(self, function: Kernel, entry: Kernel, may_wait: Callable[[], bool]) -> None:
        functools.update_wrapper(self, function)
        self.entry, self._function, self._may_wait, self._ready = entry, function, may_wait, False

    def __call__(self, states: Any, *arguments: Any) -> Any:
        """Call the function, as plain Python for a single table while there is no machine code."""
        if not self._ready and len(states) == 1 and not self.waits and not numba_private.is_stored(self.entry):
            if self._may_wait():
                return self._plain(states, *arguments)
        self._ready = True
        return self.entry(states, *arguments)

    @functools.cached_property
    def _plain(self) -> Kernel:
        return proxies.wrapped(plain(self._function))


class Compiler:
    """Another process that compiles drivers of one game; it is started for the first of them.

    Args:
        package: The package of the game.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._process: subprocess.Popen[bytes] | None = None
        self._names: set[str] = set()  # of the process that runs
        self._ended: set[str] = set()  # of processes that have ended

    def compiles(self, name: str) -> bool:
        """Return whether a driver is being compiled or will be; begin with it if nothing else is being compiled."""
        if self._process is not None and self._process.poll() is not None:
            self._process, self._ended = None, self._ended | self._names
        if name in self._ended or not sys.executable:
            return False
        if self._process is None:
            self._names = {name, *(other for other in SINGLE if SINGLE[other] == AT_ONCE)} - self._ended
            command = [sys.executable, "-c", AHEAD, str(PACKAGE), self._package, *sorted(self._names)]
            try:
                self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            except OSError:
                self._ended |= self._names
        return self._process is not None

    def wait(self) -> None:
        """Return when the process has ended."""
        if self._process is not None:
            self._process.wait()


_compilers: dict[str, Compiler] = {}  # by the package of the game
_plain_functions: dict[Kernel, Kernel] = {}


def plain(function: Any) -> Kernel:
    """Return a function with all kernels that it calls as plain Python."""
    if function not in _plain_functions:
        names: dict[str, Any] = {"__builtins__": builtins}
        _plain_functions[function] = FunctionType(function.__code__, names, function.__name__)
        known = function.__globals__
        names |= {name: _plain_value(known[name]) for name in function.__code__.co_names if name in known}
    return _plain_functions[function]


def _plain_value(value: Any) -> Any:
    if numba_private.is_dispatcher(value):
        return plain(value.py_func)
    if isinstance(value, ModuleType) and value.__name__.startswith("tantra_envs."):
        return _PlainModule(value)
    return plain_zeros if value is numba_private.stack_zeros else value


class _PlainModule:
    """A module whose kernels are plain Python."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _plain_value(getattr(self._module, name))
