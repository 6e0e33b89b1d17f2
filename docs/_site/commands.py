"""The page of the site with the help of every command, as `--help` prints it."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Mapping
from unittest import mock

import benchmarks.__main__
import benchmarks.show
import tantra_envs.__main__
import training.__main__
import training.examples
from tantra_envs.programs import cli

PROGRAMS: dict[str, Mapping[str, tuple[str, str]]] = {
    "tantra_envs": tantra_envs.__main__.COMMANDS,
    "training": training.__main__.COMMANDS,
    "training examples": training.examples.EXAMPLES,
    "benchmarks": benchmarks.__main__.COMMANDS,
    "benchmarks show": benchmarks.show.COMMANDS,
}
PLAIN = {"COLUMNS": "130", "NO_COLOR": "1", "TERM": "dumb"}


def page() -> str:
    """Return a section for each program, with the help of its commands."""
    return "# Commands\n\n" + "\n".join(_program(program) for program in PROGRAMS)


def _program(program: str) -> str:
    commands = PROGRAMS[program]
    rows = "".join(f"| `{name}` | {description} |\n" for name, (_, description) in commands.items())
    helps = {name: help_of(program, name) for name in commands if f"{program} {name}" not in PROGRAMS}
    entries = [f"### {program} {name}\n\n```text\n{text}\n```\n" for name, text in helps.items() if text]
    return f"## python -m {program}\n\n| command | |\n|---|---|\n{rows}\n" + "\n".join(entries)


def help_of(program: str, name: str) -> str:
    """Return what `--help-all` prints, or else `--help`; "" for a command whose libraries are not installed."""
    for flag in ("--help-all", "--help"):
        with (
            contextlib.redirect_stdout(io.StringIO()) as out,
            contextlib.redirect_stderr(io.StringIO()),
            mock.patch.dict(os.environ, PLAIN),
        ):
            try:
                code = cli.run_program(program, PROGRAMS[program], [name, flag])
            except SystemExit as ended:
                code = ended.code
            except ImportError:
                return ""
        if code == 0:
            return out.getvalue().strip()
    return ""
