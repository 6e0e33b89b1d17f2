"""Files of rows in docs/results that tools measure one by one. Finished rows are kept, so a tool can be run again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import tantra_envs
from tantra_envs.programs.files import Json, write_json


def measure_missing(
    file: Path,
    tool: str,
    head: Mapping[str, Any],
    planned: Iterable[tuple[Any, ...]],
    facts_of: Callable[..., Json],
    measure: Callable[..., Json],
) -> None:
    """Measure the rows that a file lacks. The file is written after each of them.

    Args:
        file: The file. It has a list `rows`.
        tool: Name of the module in tests/tools.
        head: Facts about all rows, for the file.
        planned: The rows in the order of measuring, as arguments of the next two functions.
        facts_of: Returns the fields by which a row is found again.
        measure: Returns a row with all its fields.
    """
    rows: list[Json] = json.loads(file.read_text(encoding="utf-8"))["rows"] if file.exists() else []
    today = f"{date.today()}"
    about = {"command": f"python -m tests.tools.{tool}", "version": tantra_envs.__version__, "date": today, **head}
    for words in planned:
        if not any(facts_of(*words).items() <= row.items() for row in rows):
            rows.append(measure(*words))
            write_json(file, {**about, "rows": rows})
            print(rows[-1], flush=True)
