"""Result files, written whole or not at all."""

from __future__ import annotations

import json
import shlex
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any


def open_folder(folder: Path) -> None:
    """Make `folder`; OSError now, not after hours of play, if nothing can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()


def write(file: Path, content: Any) -> None:
    """Write `content` as JSON."""
    replace(file, lambda part: part.write_text(json.dumps(content, indent=1), encoding="utf-8"))


def replace(file: Path, fill: Callable[[Path], Any]) -> None:
    """Let `fill` write a file beside `file`, then put it in its place in one step.

    A reader, or a run that goes on after a crash, never finds half of it, and a full disk leaves nothing behind.
    """
    unfinished = file.with_name(file.name + ".part")
    try:
        fill(unfinished)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def read(file: Path) -> Any:
    """What `write` wrote, or None if there is nothing; ValueError if it is damaged."""
    if not file.exists():
        return None
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise ValueError(f"{file} is damaged: it is no JSON; delete it to begin anew") from None


def check_same(folder: Path, before: Mapping[str, Any] | None, settings: Mapping[str, Any], what: str) -> None:
    """ValueError if `folder` holds results of other settings: those kept there `before`, if there are any."""
    now = json.loads(json.dumps(settings))  # as they come back from a file: lists for tuples
    for field, value in now.items():
        if before is not None and before.get(field) != value:
            raise ValueError(
                f"{folder} holds another {what}, {field}={before.get(field)!r} instead of {value!r}; "
                "choose another --name"
            )


def command(program: str) -> str:
    """The command line of this run, to be kept beside its results."""
    return shlex.join(["python", "-m", program, *sys.argv[1:]])
