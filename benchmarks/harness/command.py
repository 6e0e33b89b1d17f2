"""One way for all studies to run: options, checks, play, report, and what is said when it ends early.

A study is a package with `study.prepare(args)`, which makes of the options what is to be played (ValueError or OSError
tell what is wrong), and `report.write(study, run, command)`, which plays it, keeps what it found, and says where.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import TypeVar

from tantra_envs import cli, workers

from .args import StudyArgs

Args = TypeVar("Args", bound=StudyArgs)


def main(options: type[Args], package: str, argv: Sequence[str] | None = None) -> int:
    """Run the study in `package`, whose options these are: the exit code."""
    with cli.user_errors("bench,train"):
        args = cli.read(options, package, argv)
        study, report = (importlib.import_module(f"{package}.{name}") for name in ("study", "report"))
        prepared = study.prepare(args)
        executor = workers.executor(args.workers, args.ray)
    with cli.work("what is finished is kept, and the same command goes on from there"):
        try:
            with executor as run:
                report.write(prepared, run, cli.command(package, argv))
        except ValueError as wrong:  # an agent's illegal action; a record of rules that have changed since
            print(f"error: {wrong}", file=sys.stderr)
            return 1
    return 0
