"""One way for all studies to run: read the options, check them, play, then report.

A study is a package with `study.prepare(args)`, which checks the options and says what is to be played (ValueError or
OSError for anything wrong), `study.play(prepared, run)`, which plays what is missing and returns what was found, and
`report.write(prepared, found, command)`, which writes files and plays nothing.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import TypeVar

from tantra_envs import cli, workers

from .options import PlayOptions

PROGRAM = "benchmarks"
Args = TypeVar("Args", bound=PlayOptions)


def main(options: type[Args], name: str, argv: Sequence[str]) -> int:
    """Run the study in the package `benchmarks.NAME` and return the exit code."""
    with cli.user_errors("bench,train"):
        args = cli.read(options, f"{PROGRAM} {name}", argv)
        study, report = (importlib.import_module(f"{PROGRAM}.{name}.{part}") for part in ("study", "report"))
        prepared = study.prepare(args)
        executor = workers.executor(args.workers, args.ray)
    with cli.work("what is finished is kept, and the same command goes on from there"):
        try:
            with executor as run:
                results = study.play(prepared, run)
            report.write(prepared, results, cli.command(PROGRAM, [name, *argv]))
        except ValueError as wrong:  # an agent's illegal action; a record of rules that have changed since
            print(f"error: {wrong}", file=sys.stderr)
            return 1
    return 0
