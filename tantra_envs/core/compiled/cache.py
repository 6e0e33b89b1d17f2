"""The disk cache of machine code.

Numba's own cache notices an edit only in the file of the function itself. This cache has a folder for each digest of
*all* source files that a game could call: those of the core and its own. An edited helper therefore starts a new
folder. Folders that were not used for a month are removed. If no folder is writable, kernels compile without a cache.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

try:
    import numba
    from numba import config
except ModuleNotFoundError:  # nothing is compiled
    config = None

PACKAGE = Path(__file__).resolve().parents[2]
CORE = PACKAGE / "core"
OURS = re.compile(r".+-[0-9a-f]{20}")  # names of the folders made here
UNUSED = 30 * 24 * 3600  # seconds after which an unused folder is removed
_ASKED_FOR: str = config.CACHE_DIR if config else ""  # set by the user with NUMBA_CACHE_DIR, or empty
_storing = threading.Lock()  # held while CACHE_DIR is another folder


@functools.cache
def cache_folder(source: Path) -> str | None:
    """Return the folder for machine code made from `source` (a package or a file), or None if none is writable."""
    root = cache_root()
    if root is None:
        return None
    folder = root / f"{source.stem}-{_digest(source)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # used now
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    _clear_away_at_exit(folder.parent)
    return str(folder)


def cache_root() -> Path | None:
    """Return the parent of all cache folders, or None for a user without a home folder."""
    folder = _ASKED_FOR or _user_cache()
    return Path(folder) / "tantra_envs" if folder else None


@contextmanager
def stored_below(folder: str) -> Iterator[None]:
    """Let Numba keep the machine code of functions decorated in this block below `folder`."""
    with _storing:
        before = getattr(config, "CACHE_LOCATOR_CLASSES", "")  # a Numba without it keeps code by the whole path
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = folder, f"{__name__}.{Locator.__name__}"
        try:
            yield
        finally:
            config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = _ASKED_FOR, before


class Locator:
    """Tells Numba where the machine code of a function is kept: by the place of its file inside the package.

    Numba would use the whole path, so a second clone or environment with the same sources would compile them again.
    """

    def __init__(self, function: Any, file: str) -> None:
        self._place = f"{function.__module__}-{function.__code__.co_firstlineno}"
        root = source_root(file)
        assert root, file  # other functions are not stored
        self._folder = Path(config.CACHE_DIR, Path(file).resolve().parent.relative_to(root.parent))

    @classmethod
    def from_function(cls, function: Any, file: str) -> Locator:
        """Return the locator of a function in a file."""
        return cls(function, file)

    def get_cache_path(self) -> str:
        """Return the folder of the machine code."""
        return str(self._folder)

    def ensure_cache_path(self) -> None:
        """Make the folder."""
        self._folder.mkdir(parents=True, exist_ok=True)

    def get_source_stamp(self) -> str:
        """Return nothing: the parent folder is that of one digest of all sources."""
        return ""

    def get_disambiguator(self) -> str:
        """Return the module and the line of the function, which tell functions of one name apart.

        Stored code is read by importing its module. A file can be run under several names, and a moved one has another.
        """
        return self._place


@functools.cache
def source_root(filename: str) -> Path | None:
    """Return the game, package or file that the machine code of kernels in this file depends on, besides the core.

    A function typed at a prompt has no file.
    """
    file = Path(filename)
    if not file.is_file():
        return None
    file = file.resolve()
    for whole in (CORE, *(PACKAGE / "games" / part for part in _below(PACKAGE / "games", file))):
        if whole in file.parents:
            return whole
    root = file
    while (root.parent / "__init__.py").exists():
        root = root.parent
    return root


def _below(folder: Path, file: Path) -> tuple[str, ...]:
    """Return the name of the folder directly below `folder` that holds `file`, if there is one."""
    return file.relative_to(folder).parts[:-1][:1] if folder in file.parents else ()


def _digest(source: Path) -> str:
    """Return a digest of the compiler, its settings and every source file that a kernel in `source` may call."""
    versions = (sys.version, numba.__version__, np.__version__, config.BOUNDSCHECK)
    digest = hashlib.sha256(repr(versions).encode())
    inside = CORE if PACKAGE in source.parents else PACKAGE  # games call the core only; other packages may call all
    for root in sorted({inside, source}):
        for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(str(file.relative_to(root.parent)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


@functools.cache
def _clear_away_at_exit(root: Path) -> None:
    """Remove unused folders when the process ends, because this process may still use some that look unused now."""
    atexit.register(_clear_away, root)


def _clear_away(root: Path) -> None:
    """Remove cache folders that were not used for a month. Folders that cannot be removed stay."""
    with suppress(OSError):
        for folder in root.iterdir():
            with suppress(OSError):
                made_here = OURS.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink()
                if made_here and time.time() - folder.stat().st_mtime > UNUSED:
                    shutil.rmtree(folder, ignore_errors=True)


def _user_cache() -> str | Path | None:
    """Return the folder of the user's caches, or None if there is no home folder, as in some containers."""
    variable, below = {"win32": ("LOCALAPPDATA", "AppData/Local"), "darwin": ("", "Library/Caches")}.get(
        sys.platform, ("XDG_CACHE_HOME", ".cache")
    )
    try:
        return os.environ.get(variable) or Path.home() / below
    except RuntimeError:  # neither HOME nor an entry of the user in the password database
        return None
