"""The three decorators of compiled kernels: `entry_point`, `kernel` and `leaf`.

The machine code of entry points is kept on disk (`cache.py`), and so is the code of kernels before it is optimised. A
process that calls a new entry point of a game compiles that alone, and links the kernels of other entry points.

A kernel is plain Python, restricted to what Numba compiles. With `NUMBA_DISABLE_JIT=1`, and where Numba is missing, the
same source runs as ordinary Python (`proxies.py`).
"""

from __future__ import annotations

import functools
import importlib
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

from . import proxies
from .cache import PACKAGE, cache_folder, source_root, stored_below

Kernel = Callable[..., Any]
F = TypeVar("F", bound=Kernel)


def _private() -> Any:
    """Return the module `numba_private`, or None where Numba is not installed."""
    try:
        return importlib.import_module(f"{__package__}.numba_private")
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith("tantra_envs"):
            raise
        _say("Numba is not installed, so games run as plain Python, a thousand times slower: pip install numba")
        return None


def _say(message: str) -> None:
    print(f"tantra_envs: {message}", file=sys.stderr, flush=True)


numba_private = _private()
PURE_PYTHON = numba_private is None or numba_private.DISABLED
PROGRESS_SECONDS = 10.0  # seconds of compiling between two messages
BEYOND = 1_000_000  # more lines than a file has


def entry_point(function: F, rounds: int = 2) -> F:
    """Mark a function that Python calls with arrays. It releases the GIL and is cached on disk.

    Args:
        function: The function.
        rounds: How often it is optimised. Once compiles faster, and is enough where a call makes a single step.
    """
    if PURE_PYTHON:
        return proxies.wrapped(function)  # type: ignore[return-value]
    made = _stored(function)
    numba_private.link_kernels(made, rounds)
    return made


def kernel(function: F) -> F:
    """Mark a function that kernels and entry points call. It is compiled with the first of them and cached on disk."""
    return function if PURE_PYTHON else _linked(function)


def leaf(function: F) -> F:
    """Mark a kernel of at most ten lines, which the compiler copies into its callers."""
    return function if PURE_PYTHON else _linked(function, forceinline=True)


def template(form: Callable[[Kernel], Kernel]) -> Callable[[F], F]:
    """Mark a function that calls kernels of a game. `bind` makes copies of it; `form` is their decorator."""

    def mark(function: F) -> F:
        _templates.setdefault(function.__module__, {})[function] = form
        return function

    return mark


_templates: dict[str, dict[Any, Callable[[Kernel], Kernel]]] = {}  # by module
_bound: dict[tuple[str, str, str], tuple[dict[str, Any], dict[str, Kernel]]] = {}  # by module, home and ending


def unbound(*_: Any) -> Any:
    """Stand in for a kernel of a game in the source of a template."""
    raise NotImplementedError("`bind` puts the kernel of a game here")


def bind(module: str, kernels: Mapping[str, Any], home: ModuleType, ending: str = "") -> dict[str, Kernel]:
    """Return a copy of each template of a module, by name. They find `kernels`, and each other, among its globals.

    Args:
        module: The name of the module.
        kernels: What takes the place of its globals: kernels of a game, or templates in the place of others.
        home: The module that the copies count to. An edit of any source that the kernels come from must change the
            cache folder of its file: see `cache.source_root`.
        ending: The end of the names of the copies. They differ from those of all other copies at home.

    Returns:
        The copies. As long as the kernels are the same, they are the same copies.
    """
    place, wanted = (module, str(home.__file__), ending), dict(kernels)
    bound, copies = _bound.get(place, ({}, {}))
    if bound != wanted:  # a module that was loaded again has other kernels
        copies = _copies(module, wanted, home, ending)
        _bound[place] = wanted, copies
    return copies


def _copies(module: str, kernels: dict[str, Any], home: ModuleType, ending: str) -> dict[str, Kernel]:
    names, file = {**vars(sys.modules[module]), **kernels}, str(home.__file__)
    copies = {
        function: form(_copy(function, names, function.__name__ + ending, file, home.__name__))
        for function, form in _templates[module].items()
    }
    names |= {
        name: copies[value] for name, value in names.items() if isinstance(value, FunctionType) and value in copies
    }
    return {function.__name__: copy for function, copy in copies.items()}


def _copy(function: Kernel, names: dict[str, Any], name: str, file: str, module: str) -> Kernel:
    """Return a copy of a function, not compiled, with other globals, and as if it stood in another file.

    Numba's disk cache finds machine code by the file, the name and the line of a function, and not by its globals. A
    copy that another copy could be taken for would play another game, or for another agent.
    """
    code = function.__code__
    if code.co_filename != file:  # Numba reads the source of what it compiles; in this file its line has other code
        code = code.replace(co_filename=file, co_firstlineno=code.co_firstlineno + BEYOND)
    copy = FunctionType(code, names, name)
    copy.__qualname__, copy.__module__, copy.__doc__ = name, module, function.__doc__
    return copy


def _linked(function: F, **options: Any) -> F:
    """Return a kernel, which is a part of the machine code of its entry points."""
    made = _stored(function, **numba_private.LINKED, **options)
    numba_private.link_only(made, functools.cache(lambda: _alone(function)))
    return made


def _alone(function: F) -> F:
    """Return a kernel for calls by Python, with machine code of its own."""
    file, module = function.__code__.co_filename, function.__module__
    copy = _copy(function, function.__globals__, f"{function.__name__}_alone", file, module)
    return entry_point(copy)  # type: ignore[return-value]


def _stored(function: F, **options: Any) -> F:
    """Return a function that is compiled when it is called, and kept on disk if its file has a cache folder."""
    source = source_root(function.__code__.co_filename)
    folder = cache_folder(source) if source else None
    if folder is None:
        return _compiled(function, **options)
    with stored_below(folder):
        made = _compiled(function, cache=True, **options)
    numba_private.mend_cache(made)
    return made


def _compiled(function: F, **options: Any) -> F:
    made: F = numba_private.compiled(function, **options)
    return made


class CompileNotice:
    """Prints a line when a game is first compiled on this machine, and the elapsed time every ten seconds.

    Without it, a wait of many seconds would look like a hang.
    """

    def __init__(self) -> None:
        self._silent: set[str] = set()
        self._seconds: dict[str, float] = {}  # seconds spent on each game, finished functions only
        self._depth = 0  # functions being compiled, each called by the one before
        self._game, self._began = "", 0.0  # of the outermost function
        self._next: dict[str, float] = {}  # seconds spent on each game when the next message is due

    def silence(self, game: str) -> None:
        """Print nothing about a game, because another display shows the progress."""
        self._silent.add(game)

    def start(self, function: Kernel) -> None:
        """Record the beginning of a function; print a message if one is due."""
        if not self._depth:
            self._game, self._began = _game_of(function), time.perf_counter()
        self._depth += 1
        if self._game and self._game not in self._silent:
            self._announce(self._game, function.__name__)

    def end(self) -> None:
        """Add the time of a function, unless it was compiled as a part of another one."""
        self._depth -= 1
        if not self._depth:
            self._seconds[self._game] = self._elapsed(self._game)

    def _announce(self, game: str, function: str) -> None:
        seconds = self._elapsed(game)
        if game not in self._next:
            self._next[game] = PROGRESS_SECONDS
            folder = cache_folder(PACKAGE / "games" / game)
            kept = f"once; kept in {folder}" if folder else "at every start: no cache folder can be written"
            if folder is None or _is_first(Path(folder) / "announced"):
                _say(f"compiling {game}, some seconds ({kept})")
        elif seconds >= self._next[game]:
            _say(f"compiling {game}, {seconds:.0f} s so far ({function})")
            self._next[game] = seconds + PROGRESS_SECONDS

    def _elapsed(self, game: str) -> float:
        return self._seconds.get(game, 0.0) + time.perf_counter() - self._began


def _is_first(mark: Path) -> bool:
    """Create an empty file; return whether it did not exist before."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _game_of(function: Kernel) -> str:
    """Return the game that a kernel belongs to; "" for a kernel of the core or of the user."""
    parts = (function.__module__ or "").split(".")
    return parts[2] if parts[:2] == ["tantra_envs", "games"] and len(parts) > 2 else ""


notice = CompileNotice()
if not PURE_PYTHON:
    numba_private.distinguish_symbols()
    numba_private.on_compile(notice.start, notice.end)
