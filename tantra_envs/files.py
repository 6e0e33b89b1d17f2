"""Files that are written completely or not at all, folders that can be written, and folders for one process only."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LOCK = "lock"  # name of the file that `locked` writes into a folder


def write_whole(file: Path, fill: Callable[[Path], Any]) -> None:
    """Let `fill` write a temporary file next to `file`, then rename it to `file`.

    No reader finds an incomplete file. An error, for example OSError on a full disk, removes the temporary file and
    leaves `file` unchanged.
    """
    unfinished = file.with_name(file.name + ".part")
    try:
        fill(unfinished)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def write_content(file: Path, content: str | bytes) -> None:
    """Write bytes, or text as UTF-8."""
    data = content.encode() if isinstance(content, str) else content
    write_whole(file, lambda part: part.write_bytes(data))


def write_json(file: Path, content: Any) -> None:
    """Write `content` as indented JSON."""
    write_content(file, json.dumps(content, indent=1))


def open_folder(folder: Path) -> None:
    """Create `folder`, and raise OSError at once if it cannot be written, not after hours of work."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


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
        if not _take(file.fileno()):
            file.seek(0)
            raise ValueError(f"{folder} is in use by {file.read() or 'another process'}; wait until it has ended")
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


def _take(file: int) -> bool:
    """Lock an open file until it is closed. Return False if another process has the lock."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, 1 << 30, os.SEEK_SET)  # others cannot read the locked byte, so it is after the text
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # this file system has no locks
    return True
