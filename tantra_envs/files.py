"""Files that are written completely or not at all, and a check that a folder can be written."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


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


def write_json(file: Path, content: Any) -> None:
    """Write `content` as indented JSON."""
    write_whole(file, lambda part: part.write_text(json.dumps(content, indent=1), encoding="utf-8"))


def open_folder(folder: Path) -> None:
    """Create `folder`, and raise OSError at once if it cannot be written, not after hours of work."""
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
