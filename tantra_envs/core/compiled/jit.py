"""The three decorators of compiled kernels: `entry_point`, `kernel` and `leaf`.

A kernel is plain Python, restricted to what Numba compiles. Kernels become machine code only as parts of the entry
points that Python calls (`linking.py`). If this version of Numba does not allow that, or with
`TANTRA_ENVS_PLAIN_JIT=1`, all of them are ordinary `numba.njit` functions: same results, slower to compile.
`NUMBA_DISABLE_JIT=1` runs the same source as ordinary Python (`proxies.py`).
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config, types
from numba.core import event

from . import proxies
from .cache import CORE, PACKAGE, cache_folder, plain_jit, source_root
from .stored import StoredCode

Kernel = Callable[..., Any]
F = TypeVar("F", bound=Kernel)

PURE_PYTHON = bool(config.DISABLE_JIT)
PROGRESS_SECONDS = 10.0  # seconds of compiling between two messages


def entry_point(function: F) -> F:
    """Mark a function that Python calls with arrays. It releases the GIL and is cached on disk."""
    made: Any = proxies.wrapped(function) if PURE_PYTHON else _compiled(function)
    return made  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """Mark a function that kernels and entry points call. It is compiled as a part of these."""
    return _part(function, inline="never")


def leaf(function: F) -> F:
    """Mark a kernel of at most ten lines. Its source is copied into its callers before they are compiled."""
    return _part(function, inline="always")


@functools.cache
def linked() -> bool:
    """Return whether kernels are linked into their callers.

    Linking uses parts of Numba that are not public, so it is tried out once per installation.
    """
    if PURE_PYTHON or plain_jit():
        return False
    folder = cache_folder(CORE)
    tried = Path(folder) / "linked" if folder else None
    try:
        from . import linking  # noqa: F401

        if tried is None or not tried.exists():
            _try_linking()
            if tried is not None:
                tried.touch()
    except Exception as error:  # another version of Numba may raise anything
        told = f"Numba {numba.__version__} is not one that kernels were linked with ({type(error).__name__}: {error})"
        print(f"tantra_envs: {told}; compiling the plain way, which takes longer", file=sys.stderr, flush=True)
        return False
    return True


def _try_linking() -> None:
    """Link a kernel of two lines into an entry point; raise an error of any kind if this Numba cannot."""

    def doubled(number: int) -> int:
        return number + number

    part = _linked(doubled, inline="never")

    def caller(number: int) -> int:
        return part(number)

    if _unpublished(caller, cached=False)(21) != 42:
        raise RuntimeError("a linked kernel returns something else")


def _part(function: F, inline: str) -> F:
    if PURE_PYTHON:
        return function
    return _linked(function, inline) if linked() else _plain(function, inline=inline, cached=False)


def _linked(function: F, inline: str) -> F:
    from . import linking

    options = {**linking.OPTIONS, "pipeline_class": linking.LinkedOnly}
    compiled: Any = _unpublished(function, inline=inline, cached=False, **options)
    linking.call_instead(compiled, _unpublished(function))
    made: F = compiled
    return made


def _compiled(function: F) -> F:
    return _unpublished(function) if linked() else _plain(function)


def _unpublished(function: F, **options: Any) -> F:
    """Compile without reference counting (_nrt): views of a record cost nothing, and allocation is an error."""
    compiled: Any = _plain(function, _nrt=False, **options)
    compiled.get_call_template = functools.partial(_called_with_int64, compiled.get_call_template)
    made: F = compiled
    return made


def _plain(function: F, inline: str = "never", cached: bool = True, **options: Any) -> F:
    made: Any = numba.njit(nogil=True, error_model="numpy", inline=inline, **options)(function)
    root = source_root(function.__code__.co_filename)
    folder = cache_folder(root) if cached else None
    if folder is not None:
        made._cache = StoredCode(function, folder, root)
    return made  # type: ignore[no-any-return]


def _called_with_int64(template: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Pass integers between kernels as int64, so that Numba does not compile a kernel for every integer type."""
    plain = [types.unliteral(argument) for argument in arguments]
    wide = [types.int64 if isinstance(argument, types.Integer) else argument for argument in plain]
    return template(tuple(wide), named)


class CompileNotice(event.Listener):
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

    def on_start(self, event: event.Event) -> None:
        """Record the beginning of a function; print a message if one is due."""
        function = event.data["dispatcher"].py_func
        if not self._depth:
            self._game, self._began = _game_of(function), time.perf_counter()
        self._depth += 1
        if self._game and self._game not in self._silent:
            self._announce(self._game, function.__name__)

    def on_end(self, event: event.Event) -> None:
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


def _say(message: str) -> None:
    print(f"tantra_envs: {message}", file=sys.stderr, flush=True)


notice = CompileNotice()
if not PURE_PYTHON:
    event.register("numba:compile", notice)
