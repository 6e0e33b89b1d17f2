"""The index of a folder of model files: `index.json` lists each with its kind, its game and its numbers of seats.

The names of files mean nothing. The policies that ship are those that the index of `weights` lists, and a value network
belongs to the policy that its entry names. A file without an entry plays by its path.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from ..programs.files import write_content

INDEX = "index.json"
POLICY, VALUE = "policy", "value"


@dataclass(frozen=True)
class Entry:
    """The entry of a model file."""

    file: str  # its name in the folder
    kind: str  # POLICY or VALUE
    name: str  # of a policy: NAME in `learned:NAME`; of a value network: the file of its policy
    game: str  # with its variant: "tarot:hand"
    seats: tuple[int, ...] = ()  # the numbers of players that it is for; () = any


def entries(folder: Path) -> list[Entry]:
    """Return the entries of a folder, or none if it has no index; raise ValueError for a damaged index."""
    file = folder / INDEX
    if not file.is_file():
        return []
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        return [Entry(**{**row, "seats": tuple(row["seats"])}) for row in rows]
    except (ValueError, TypeError, KeyError) as error:
        problem = f"{file} is not an index of model files ({error})"
        raise ValueError(f"{problem}; allowed: a list of objects with file, kind, name, game and seats") from None


def add(folder: Path, entry: Entry) -> None:
    """Write an entry into the index of a folder. It replaces that of the same file."""
    others = [other for other in entries(folder) if other.file != entry.file]
    lines = [json.dumps(asdict(other)) for other in sorted([*others, entry], key=lambda other: other.file)]
    write_content(folder / INDEX, "[\n" + ",\n".join(lines) + "\n]\n")
