"""Files written whole or not at all, and folders tried before they are needed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write_whole(file: Path, fill: Callable[[Path], Any]) -> None:
    """Let `fill` write a file beside `file`, then put it in its place in one step.

    A reader, or a run that goes on after a crash, never finds half of it. OSError, on a full disk, say, leaves nothing
    behind and `file` as it was.
    """
    unfinished = file.with_name(file.name + ".part")
    try:
        fill(unfinished)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def write_json(file: Path, content: Any) -> None:
    """Write `content` for people and programs."""
    write_whole(file, lambda part: part.write_text(json.dumps(content, indent=1), encoding="utf-8"))


def open_folder(folder: Path) -> None:
    """Make `folder`; OSError now, not after hours of work, if nothing can be written there."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
