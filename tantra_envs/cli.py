"""The command line of the lab: options, files of options, and mistakes told in one line."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Args = TypeVar("Args")


@contextlib.contextmanager
def mistakes(extra: str) -> Iterator[None]:
    """What goes wrong in here is the user's mistake: one line on stderr, exit code 2. For checks, not for work.

    `extra` is the one of this package that brings a library found missing.
    """
    try:
        yield
        return
    except ModuleNotFoundError as missing:
        message = f"{missing.name} is not installed; pip install -e '.[{extra}]' -c constraints.txt"
    except (ValueError, OSError) as error:
        message = str(error)
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    raise SystemExit(2)


def read(args: type[Args], program: str, words: Sequence[str] | None = None) -> Args:
    """The options in `words` (default: the command line); ValueError in one line if they are not understood.

    `--config FILE` reads options from a TOML file first; what the command line says as well comes later and wins.
    """
    import tyro

    before = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    before.add_argument("--config", type=Path)
    known, rest = before.parse_known_args(words)
    told = io.StringIO()
    try:
        with contextlib.redirect_stderr(told):
            return tyro.cli(args, prog=f"python -m {program}", args=[*_options(args, known.config), *rest])
    except SystemExit as stop:
        if not stop.code:  # --help
            raise
        raise ValueError(f"{_unboxed(told.getvalue())} (see python -m {program} --help)") from None


def _options(args: type[Any], file: Path | None) -> list[str]:
    """The fields of a TOML file as words of a command line."""
    if file is None:
        return []
    try:
        fields = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from None
    known = [field.name for field in dataclasses.fields(args)]
    for name in fields:
        if name not in known:
            raise ValueError(f"{file}: unknown key {name!r}; keys: {', '.join(known)}")
    return [word for name, value in fields.items() for word in _words(name.replace("_", "-"), value)]


def _words(option: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [f"--{option}" if value else f"--no-{option}"]
    return [f"--{option}", *(str(item) for item in (value if isinstance(value, list) else [value]))]


def _unboxed(told: str) -> str:
    """The first paragraph of a framed message, without the frame."""
    lines = [line.strip("│ ") for line in told.splitlines()[1:]]
    end = next((i for i, line in enumerate(lines) if not line.strip("─╰╯")), len(lines))
    return " ".join(lines[:end])
