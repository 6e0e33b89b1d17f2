"""The page of all commands, made from their `--help`."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from unittest import mock

import benchmarks.__main__
import benchmarks.records
import tantra_envs.__main__
import training.__main__
import training.examples
import training.examples.baselines
from tantra_envs.cli import run_program

WIDTH = "84"  # columns
PROGRAMS: dict[str, Mapping[str, tuple[str, str]]] = {
    "tantra_envs": tantra_envs.__main__.COMMANDS,
    "training": training.__main__.COMMANDS,
    "training examples": training.examples.EXAMPLES,
    "training examples baselines": training.examples.baselines.BASELINES,
    "benchmarks": benchmarks.__main__.COMMANDS,
    "benchmarks records": benchmarks.records.COMMANDS,
}
LIBRARIES = {"training scale": "ray"}  # and examples, by their names
LONG = ("training learn", "training selfplay", "training scale")  # their short help leaves options out
MARK = "<!-- the help of all commands -->"


def filled(text: str) -> str:
    """Return a page with the help of all commands in the place for it."""
    return text.replace(MARK, "".join(_program(name) for name in PROGRAMS)) if MARK in text else text


def _program(program: str) -> str:
    commands = PROGRAMS[program]
    rows = "".join(f"| [`{name}`](#{_anchor(program, name)}) | {text} |\n" for name, (_, text) in commands.items())
    entries = "".join(_entry(program, name) for name in commands if f"{program} {name}" not in PROGRAMS)
    return f"## python -m {program}\n\n| command | |\n|---|---|\n{rows}\n{entries}"


def _anchor(program: str, name: str) -> str:
    """Return the heading that describes a command: its own, or that of the program it is."""
    words = f"{program} {name}"
    return (f"python--m-{words}" if words in PROGRAMS else words).replace(" ", "-")


def _entry(program: str, name: str) -> str:
    text = "\n".join(_help(program, name))
    return f"### {program} {name}\n\n```text\n{text}```\n\n"


def _help(program: str, name: str) -> Iterator[str]:
    library = LIBRARIES.get(f"{program} {name}", name if program == "training examples" else "json")
    library = {"own_loop": "torch", "sb3": "sb3_contrib", "rllib": "ray"}.get(library, library)
    if importlib.util.find_spec(library) is None:
        yield f"This command needs the package {library}; its options are in --help once it is installed.\n"
        return
    flag = "--help-all" if f"{program} {name}" in LONG else "--help"
    yield printed(program, name, flag)


def printed(program: str, *words: str) -> str:
    """Return what a command prints."""
    output = io.StringIO()
    with mock.patch.dict(os.environ, {"COLUMNS": WIDTH}), contextlib.redirect_stdout(output), suppress(SystemExit):
        run_program(program, PROGRAMS[program], words)
    return output.getvalue()
