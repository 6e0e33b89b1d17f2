"""Find the files that an agent's class opens or imports, so that its digest changes when its weights or code change."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]  # files of this package belong to its version, not to an agent
PROJECT = (PACKAGE, *(PACKAGE.parent / name for name in ("agents", "benchmarks", "training")))
CODE = {".py", ".pyc"}  # Python opens a module only once in a process, so `imported` looks for modules
DIGITS = 12
_seen: dict[int, set[str]] = {}  # names of files that threads opened while they are watched


@contextmanager
def watched() -> Iterator[set[str]]:
    """Collect the names of the files that this thread opens for reading with `open`, until the block ends."""
    _listen()
    thread = threading.get_ident()
    outer = _seen.get(thread)  # an agent may be made of other agents
    names = _seen[thread] = set()
    try:
        yield names
    finally:
        if outer is None:
            del _seen[thread]
        else:
            outer |= names
            _seen[thread] = outer


@cache
def _listen() -> None:
    """Add the hook, once: Python cannot remove it."""
    sys.addaudithook(_note)


def digest(code: Path, names: Iterable[str], declared: Iterable[str | Path] = ()) -> str:
    """Return a digest of an agent's file of code, of the modules that it imports and of its data.

    Args:
        code: The file with the agent's class. Modules in its folder or in the current folder count.
        names: Files that were opened. Those in the same two folders count, without code and hidden folders.
        declared: Further files, as the agent's attribute `files` lists them.

    Raises:
        OSError: A file cannot be read.
    """
    folders = {code.resolve().parent, Path.cwd().resolve()}
    opened = {Path(name).resolve() for name in names}
    data = {file for file in opened if file.is_file() and any(_counts(file, folder) for folder in folders)}
    data |= imported(code, folders) | {Path(file).resolve() for file in declared}
    total = hashlib.sha256(code.read_bytes())
    for file in sorted(data):
        total.update(hashlib.sha256(file.read_bytes()).digest())
    return total.hexdigest()[:DIGITS]


def imported(code: Path, folders: Iterable[Path]) -> set[Path]:
    """Return the files in `folders` that a file of code imports, directly or through one another."""
    found: set[Path] = set()
    waiting = [code]
    while waiting:
        for node in ast.walk(ast.parse(waiting.pop().read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            for name, folder in product(names, folders):
                module = folder.joinpath(*name.split("."))
                for file in (module.with_suffix(".py"), module / "__init__.py"):
                    if file.is_file() and file not in found and not any(file.is_relative_to(own) for own in PROJECT):
                        found.add(file)
                        waiting.append(file)
    return found


def _counts(file: Path, folder: Path) -> bool:
    """Return whether a file below `folder` is data of an agent."""
    if not file.is_relative_to(folder) or file.is_relative_to(PACKAGE) or file.is_relative_to(sys.prefix):
        return False
    parts = file.relative_to(folder).parts
    return file.suffix not in CODE and not any(part.startswith((".", "__")) for part in parts)


def _note(event: str, args: tuple[Any, ...]) -> None:
    """Remember a file that a watched thread opens for reading."""
    if event != "open" or not _seen:
        return
    names = _seen.get(threading.get_ident())
    if names is None:
        return
    name, mode, flags = args
    writes = flags & (os.O_WRONLY | os.O_RDWR) if mode is None else set("wax+") & set(mode)
    if isinstance(name, (str, os.PathLike)) and not writes:
        names.add(os.fspath(name) if isinstance(name, str) else str(name))
