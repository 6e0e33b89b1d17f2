"""Compiled kernels: three decorators, and a disk cache that can never serve stale code.

A kernel is plain Python restricted to what Numba compiles. Kernels become machine code as parts of the
entries that Python calls, and nowhere else (`linking.py`). Numba's own cache notices an edit only in the
file of the function itself; ours is a folder named after a digest of *every* source file that could be
called, the core's and those of the own game, so an edited helper elsewhere starts a fresh folder. Where nothing
can be written, kernels compile without a cache. `NUMBA_DISABLE_JIT=1` runs the same source as ordinary Python.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
from numba import config, types
from numba.core import event

from . import linking

Kernel = Callable[..., Any]
F = TypeVar("F", bound=Kernel)

PURE_PYTHON = bool(config.DISABLE_JIT)
PACKAGE = Path(__file__).resolve().parents[2]
CORE = PACKAGE / "core"
_CACHE_ROOT: str = config.CACHE_DIR  # what the user asked for with NUMBA_CACHE_DIR, if anything


def kernel(function: F) -> F:
    """Compile `function` for other kernels and for entries, which it becomes a part of."""
    return _compile_linked(function, inline="never")


def leaf(function: F) -> F:
    """A `kernel` of at most ten lines that is copied into its callers."""
    return _compile_linked(function, inline="always")


def entry(function: F) -> F:
    """Compile `function` on first call from Python, release the GIL in it and keep the machine code on disk."""
    return function if PURE_PYTHON else _compile(function)


def _compile_linked(function: F, inline: str) -> F:
    if PURE_PYTHON:
        return function
    options = {**linking.OPTIONS, "pipeline_class": linking.LinkedOnly}
    compiled: Any = _compile(function, inline=inline, cached=False, **options)
    linking.call_instead(compiled, _compile(function))
    made: F = compiled
    return made


def _compile(function: F, inline: str = "never", cached: bool = True, **options: Any) -> F:
    folder = cache_folder(source_root(function.__code__.co_filename))
    before = config.CACHE_DIR
    config.CACHE_DIR = folder or before
    try:
        # Without Numba's reference counting (_nrt) views of a record cost nothing, and allocation is refused.
        same = {"nogil": True, "_nrt": False, "error_model": "numpy"}
        decorate = numba.njit(**same, inline=inline, cache=cached and folder is not None, **options)
        compiled: Any = decorate(function)
    finally:
        config.CACHE_DIR = before
    compiled.get_call_template = functools.partial(_called_with_int64, compiled.get_call_template)
    made: F = compiled
    return made


def _called_with_int64(template: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Kernels hand one another int64 only: Numba would compile each anew for int8, for int64 and for every constant."""
    plain = [types.unliteral(argument) for argument in arguments]
    wide = [types.int64 if isinstance(argument, types.Integer) else argument for argument in plain]
    return template(tuple(wide), named)


@functools.cache
def cache_folder(source: Path) -> str | None:
    """The folder for machine code made from `source` (a package or a file), or None if none can be written."""
    folder = Path(_CACHE_ROOT or _user_cache()) / "tantra_envs" / f"{source.stem}-{_digest(source)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    return str(folder)


def source_root(filename: str) -> Path:
    """What the machine code of kernels in this file depends on, beside the core: their game, package or file."""
    file = Path(filename)
    if not file.is_file():  # typed at a prompt
        return PACKAGE
    file = file.resolve()
    for whole in (CORE, *(PACKAGE / "games" / part for part in _below(PACKAGE / "games", file))):
        if whole in file.parents:
            return whole
    root = file
    while (root.parent / "__init__.py").exists():
        root = root.parent
    return root


def _below(folder: Path, file: Path) -> tuple[str, ...]:
    """The name of the folder directly below `folder` that holds `file`, if there is one."""
    return file.relative_to(folder).parts[:-1][:1] if folder in file.parents else ()


def _digest(source: Path) -> str:
    """Digest of the compiler, its settings and every source file a kernel in `source` may call."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__, config.BOUNDSCHECK)
    digest = hashlib.sha256(repr(versions).encode())
    inside = CORE if PACKAGE in source.parents else PACKAGE  # a game calls the core, the lab whatever there is
    for root in sorted({inside, source}):
        for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(str(file.relative_to(root.parent)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


class _ColdCompileNotice(event.Listener):
    """Says once per game that its kernels are being compiled: a silent wait of seconds looks like a hang."""

    def __init__(self) -> None:
        self.told: set[str] = set()

    def on_start(self, event: event.Event) -> None:
        module = event.data["dispatcher"].py_func.__module__ or ""
        if not module.startswith("tantra_envs.games.") or module.split(".")[2] in self.told:
            return
        game = module.split(".")[2]
        self.told.add(game)
        folder = cache_folder(PACKAGE / "games" / game)
        kept = f"once; kept in {folder}" if folder else "at every start: no cache folder can be written"
        print(f"tantra_envs: compiling {game}, some seconds ({kept})", file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        pass


notice = _ColdCompileNotice()
if not PURE_PYTHON:
    event.register("numba:compile", notice)
