"""A single table plays at once: a driver runs as plain Python while another process compiles it.

Rules give the same bytes in plain Python, in about a millisecond a step. `Starting` stands for a driver that no process
has compiled yet. It changes over between two calls, as soon as the machine code is on the disk. Calls for several
tables wait for the compiler.
"""

from __future__ import annotations

import builtins
import functools
import subprocess
import sys
from types import FunctionType, ModuleType
from typing import Any

from . import proxies
from .cache import PACKAGE, cache_folder, source_root
from .jit import PURE_PYTHON, Kernel, entry_point, numba_private
from .stack import plain_zeros

AT_ONCE, LATER = "at once", "later"  # when a driver is compiled: with the first one, or when a table calls it
SINGLE: dict[str, str] = {}  # all drivers that may run as plain Python, by name, with one of these


def wait_for_code() -> None:
    """Let this process wait for the compiler, also at single tables: it measures machine code, or makes it."""
    Starting.waits = True


def wait_for_compilers() -> None:
    """Return when no other process compiles for this one."""
    for compiler in _compilers.values():
        compiler.wait()


def startable(function: Kernel) -> Kernel:
    """Return the entry point of a driver of a game, which may run as plain Python first."""
    entry, name = entry_point(function), function.__name__
    code: Any = getattr(function, "__code__", None)
    source = source_root(code.co_filename)
    if PURE_PYTHON or name not in SINGLE or source is None or source.parent != PACKAGE / "games":
        return entry
    if cache_folder(source) is None or numba_private.is_stored(entry):
        return entry
    package = str(sys.modules[function.__module__].__package__)  # also of a game that is one file
    return Starting(function, entry, name, _compilers.setdefault(package, Compiler(package)))


def entry_of(driver: Any) -> Kernel:
    """Return the entry point of a driver, for kernels that call it."""
    entry: Kernel = getattr(driver, "entry", driver)
    return entry


class Starting:
    """A driver that runs as plain Python until its machine code is on the disk.

    Args:
        function: The driver, not compiled.
        entry: The driver as an entry point.
        name: Its name in `Drivers`.
        compiler: Compiles drivers of its game in another process.
    """

    waits = False  # True = in this process they wait for their machine code

    def __init__(self, function: Kernel, entry: Kernel, name: str, compiler: Compiler) -> None:
        functools.update_wrapper(self, function)
        self.entry, self._name, self._compiler, self._ready = entry, name, compiler, False
        self._function = function

    def __call__(self, states: Any, *arguments: Any) -> Any:
        """Call the driver, as plain Python for a single table whose machine code is being made."""
        if not self._ready and len(states) == 1 and not self.waits and not numba_private.is_stored(self.entry):
            if self._compiler.compiles(self._name):
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
            command = [sys.executable, "-m", f"{__package__}.ahead", self._package, *sorted(self._names)]
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
