"""The options of all commands in Markdown, from their parsers: `docs/commands.md`."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any
from unittest import mock

import benchmarks.__main__
import benchmarks.records
import tantra_envs.__main__
import training.__main__
import training.examples.baselines.course
from tantra_envs.programs import cli

PROGRAMS: dict[str, Mapping[str, tuple[str, str]]] = {
    "tantra_envs": tantra_envs.__main__.COMMANDS,
    "training": training.__main__.COMMANDS,
    "training examples": training.examples.EXAMPLES,
    "training examples baselines": training.examples.baselines.BASELINES,
    "benchmarks": benchmarks.__main__.COMMANDS,
    "benchmarks records": benchmarks.records.COMMANDS,
}
# Options that all commands of a program share. Their modules need libraries that may be missing.
OPTIONS: dict[str, type[Any]] = {
    "training examples": training.examples.Args,
    "training examples baselines": training.examples.baselines.course.Args,
}


def page() -> str:
    """Return a section for each program, with its commands and their options."""
    return "\n".join(_program(program) for program in PROGRAMS)


def _program(program: str) -> str:
    commands = PROGRAMS[program]
    rows = "".join(f"| `{name}` | {description} |\n" for name, (_, description) in commands.items())
    if program in OPTIONS:
        entries = [_entry(OPTIONS[program], f"{program} NAME")]
    else:
        calls = {name: f"{program} {name}" for name in commands if f"{program} {name}" not in PROGRAMS}
        entries = [_entry(options_of(commands[name][0]), call) for name, call in calls.items()]
    return f"## python -m {program}\n\n| command | |\n|---|---|\n{rows}\n" + "\n".join(entries)


def _entry(options: type[Any], call: str) -> str:
    return cli.parser(options, call).generate_docs(heading_level=3, usage_name="python").rstrip() + "\n"


class _Found(BaseException):
    """Stops a command that is about to read its options."""


def options_of(target: str) -> type[Any]:
    """Return the class of the options that a command reads; `target` is its module, or MODULE:FUNCTION."""
    module, _, function = target.partition(":")
    main = getattr(importlib.import_module(module), function or "main")
    with mock.patch.object(cli, "read", side_effect=_Found) as read:
        try:
            main([])
        except _Found:
            options: type[Any] = read.call_args.args[0]
            return options
    raise ValueError(f"{target} reads no options")
