"""Write tables as Parquet without leaving half-written files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tantra_envs.files import write_whole

if TYPE_CHECKING:
    import polars


def keep_parquet(file: Path, make: Callable[[], polars.DataFrame]) -> Path:
    """Write the table that `make` returns, unless the file exists already; return the file."""
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        write_parquet(file, make())
    return file


def write_parquet(file: Path, table: polars.DataFrame, metadata: dict[str, str] | None = None) -> None:
    """Write a table as Parquet; raise OSError when the disk is full, which polars reports as its own error."""
    import polars

    try:
        write_whole(file, lambda part: table.write_parquet(part, metadata=metadata))
    except polars.exceptions.ComputeError as error:
        raise OSError(str(error)) from None
