"""Where machine code is kept on disk: never stale, never in the way, and cleared away when nothing uses it.

Numba's own cache notices an edit only in the file of the function itself; ours is a folder named after a digest of
*every* source file that could be called, the core's and those of the own game, so an edited helper elsewhere starts a
fresh folder. Where nothing can be written, kernels compile without a cache.
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
import time
from contextlib import suppress
from pathlib import Path

import llvmlite
import numba
import numpy as np
from numba import config

PACKAGE = Path(__file__).resolve().parents[2]
CORE = PACKAGE / "core"
OURS = re.compile(r".+-[0-9a-f]{20}")  # names of the folders made here
UNUSED = 30 * 24 * 3600  # seconds after which a folder is cleared away
_ASKED_FOR: str = config.CACHE_DIR  # by the user, with NUMBA_CACHE_DIR, if at all


@functools.cache
def cache_folder(source: Path) -> str | None:
    """The folder for machine code made from `source` (a package or a file), or None if none can be written."""
    folder = cache_root() / f"{source.stem}-{_digest(source)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # used now
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return None
    _clear_away_at_exit(folder.parent)
    return str(folder)


def cache_root() -> Path:
    """The folder of all cache folders."""
    return Path(_ASKED_FOR or _user_cache()) / "tantra_envs"


def plain_jit() -> bool:
    """Is nothing of Numba to be used that is not public?"""
    return os.environ.get("TANTRA_ENVS_PLAIN_JIT", "0") not in ("", "0")


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
    digest = hashlib.sha256(repr((*versions, plain_jit())).encode())
    inside = CORE if PACKAGE in source.parents else PACKAGE  # a game calls the core, the lab whatever there is
    for root in sorted({inside, source}):
        for file in sorted(root.rglob("*.py")) if root.is_dir() else [root]:
            digest.update(str(file.relative_to(root.parent)).encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()[:20]


@functools.cache
def _clear_away_at_exit(root: Path) -> None:
    """Not before: what this process is still going to use must not look unused."""
    atexit.register(_clear_away, root)


def _clear_away(root: Path) -> None:
    """Remove what was made here and nothing used for a month; whatever does not let itself be removed stays."""
    with suppress(OSError):
        for folder in root.iterdir():
            with suppress(OSError):
                made_here = OURS.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink()
                if made_here and time.time() - folder.stat().st_mtime > UNUSED:
                    shutil.rmtree(folder, ignore_errors=True)


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
