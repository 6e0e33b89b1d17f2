"""The command line of the benchmarks: options, files of options, and mistakes told in one line."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Args = TypeVar("Args")

# Which extra of this package brings a library.
EXTRAS = {
    **dict.fromkeys(("tyro", "rich", "matplotlib", "scipy"), "bench"),
    **dict.fromkeys(("torch", "stable_baselines3", "sb3_contrib"), "train"),
}


@contextlib.contextmanager
def mistakes() -> Iterator[None]:
    """What goes wrong in here is the user's mistake: one line on stderr, exit code 2. For checks, not for work."""
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRAS:
            raise
        message = f"{missing.name} is not installed; pip install -e '.[{EXTRAS[missing.name]}]' -c constraints.txt"
    except (ValueError, OSError) as error:
        message = str(error)
    else:
        return
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
            return tyro.cli(args, prog=f"python -m {program}", args=[*_options(known.config), *rest])
    except SystemExit as stop:
        if not stop.code:  # --help
            raise
        raise ValueError(f"{_unboxed(told.getvalue())} (see python -m {program} --help)") from None


def _options(file: Path | None) -> list[str]:
    """The fields of a TOML file as words of a command line."""
    if file is None:
        return []
    fields = tomllib.loads(file.read_text(encoding="utf-8"))
    return [word for name, value in fields.items() for word in (f"--{name}", str(value))]


def _unboxed(told: str) -> str:
    """The first paragraph of a framed message, without the frame."""
    lines = [line.strip("│ ") for line in told.splitlines()[1:]]
    end = next((i for i, line in enumerate(lines) if not line.strip("─╰╯")), len(lines))
    return " ".join(lines[:end])
