"""Files that are written completely or not at all, folders that can be written, and folders for one process only."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import socket
import stat
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.options import Rule

if TYPE_CHECKING:
    import polars

Json = dict[str, Any]  # an object in a JSON file
TEXT = 1 << 30  # more bytes than a file of `locked` has: Windows lets nobody read a byte that is locked
LOCK = "lock"  # name of the file that `locked` writes into a folder
WAIT, AGAIN = 60.0, 0.05  # seconds for which `only_writer` waits, and between two tries
PART = ".*.part"  # names of temporary files; each writer has its own


def write_whole(file: Path, fill: Callable[[Path], Any]) -> None:
    """Let `fill` write a temporary file next to `file`, then rename it to `file`.

    No reader finds an incomplete file, also if several processes write it at the same time. An error, for example
    OSError on a full disk, removes the temporary file and leaves `file` unchanged. A symbolic link stays, and the file
    that it leads to is replaced. A device or a pipe is refused.
    """
    _check_kind(file)
    target = Path(os.path.realpath(file))
    unfinished = target.with_name(PART.replace("*", secrets.token_hex(8)))
    try:
        fill(unfinished)
        if target.exists():
            shutil.copymode(target, unfinished)
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)


def _check_kind(file: Path) -> None:
    """Raise OSError for a device or a pipe, which no file may take the place of."""
    with contextlib.suppress(FileNotFoundError):
        mode = file.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(f"{file} is a device or a pipe; allowed: a file")


def write_content(file: Path, content: str | bytes) -> None:
    """Write bytes, or text as UTF-8."""
    data = content.encode() if isinstance(content, str) else content
    write_whole(file, lambda part: part.write_bytes(data))


def write_json(file: Path, content: Any) -> None:
    """Write `content` as indented JSON."""
    write_content(file, json.dumps(content, indent=1))


def write_parquet(file: Path, table: polars.DataFrame, metadata: dict[str, str] | None = None) -> None:
    """Write a table as Parquet; raise OSError when the disk is full, which polars reports as its own error."""
    from polars.exceptions import ComputeError

    try:
        write_whole(file, lambda part: table.write_parquet(part, metadata=metadata))
    except ComputeError as error:
        raise OSError(str(error)) from None


def open_folder(folder: Path) -> None:
    """Create `folder`, and raise OSError at once if it cannot be written, not after hours of work."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def ending(*suffixes: str) -> Rule:
    """Return the rule of a file whose name has one of these endings."""
    return Rule(lambda file: Path(file).suffix in suffixes, f"a file name that ends in {' or '.join(suffixes)}")


def check_file(option: str, file: Path) -> None:
    """Raise ValueError or OSError at once if a file cannot be written later. Create its folder if it is missing."""
    if file.is_dir():
        raise ValueError(f"{option}={str(file)!r} is not allowed: it is a folder; allowed: a file")
    _check_kind(file)
    open_folder(Path(os.path.realpath(file)).parent)


def expanded(path: str | Path) -> Path:
    """Return a path with the home folder in place of `~` at its start; raise ValueError if there is no such folder."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise ValueError(f"path {str(path)!r} is not allowed: {error}; allowed: a path without ~") from None


def read_toml(file: Path) -> dict[str, Any]:
    """Return the tables of a TOML file, which may begin with a byte order mark.

    Raises:
        ValueError: The file is not TOML. The message names the file.
        OSError: The file cannot be read.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except ValueError as error:  # not TOML, or not text
        raise ValueError(f"{file}: {error}") from None
    except RecursionError:
        raise ValueError(f"{file}: its values are nested too deeply") from None


def new_file(folder: Path, stem: str) -> Path:
    """Create an empty .json file in `folder`, named after `stem` and the time, and return it.

    Creating it reserves the name: of two games that begin in one second, each has its own file.
    """
    stem = f"{stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    number = 0
    while True:
        file = folder / f"{stem}{f'-{number}' if number else ''}.json"
        try:
            file.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return file


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of `folder`, which must exist, until the end of the block.

    The operating system holds the lock. It ends with the process, also if that is killed.

    Raises:
        ValueError: Another process holds the lock. The message contains its number and its machine.
        OSError: The folder cannot be written.
    """
    with (folder / LOCK).open("a+", encoding="utf-8") as file:
        if not take(file.fileno()):
            file.seek(0)
            raise ValueError(f"{folder} is in use by {file.read() or 'another process'}; wait until it has ended")
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        for left in folder.rglob(PART):  # of a process that was killed while it wrote
            left.unlink(missing_ok=True)
        yield


@contextlib.contextmanager
def only_writer(file: Path) -> Iterator[None]:
    """Keep other processes from writing `file` until the end of the block, in which it is read, changed and written.

    Other processes wait. The lock is another file beside it, because writing replaces `file`.

    Raises:
        OSError: Another process holds the lock for a minute, or the folder cannot be written.
    """
    target = Path(os.path.realpath(file))
    lock, until = target.with_name(f".{target.name}.{LOCK}"), time.monotonic() + WAIT
    while True:
        with lock.open("a+", encoding="utf-8") as held:
            if take(held.fileno()) and lock.exists() and os.path.samestat(os.fstat(held.fileno()), lock.stat()):
                try:
                    yield
                finally:
                    with contextlib.suppress(OSError):  # Windows removes no file that is open
                        lock.unlink(missing_ok=True)
                return
        if time.monotonic() > until:
            raise TimeoutError(f"{file} is in use by another process; run the same command again when it has ended")
        time.sleep(AGAIN)


def take(file: int, byte: int | None = None) -> bool:
    """Lock an open file until it is closed. Return False if another process has the lock.

    With a `byte`, lock only this one, until this process closes any file with the same path.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, TEXT if byte is None else byte, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            if byte is None:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            else:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # this file system has no locks
    return True
