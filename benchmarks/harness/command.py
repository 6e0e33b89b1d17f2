"""Run a study: read its options, check them, play, then report.

A study is a package with three functions:

- `study.prepare(args)` checks the options and returns the plan of the study. It raises ValueError or OSError for
  anything wrong.
- `study.play(prepared, run)` plays the missing deals and returns the results.
- `report.write(prepared, results, command)` writes the files and plays nothing.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import TypeVar

from tantra_envs import cli, workers
from tantra_envs.files import check_file, locked

PROGRAM = "benchmarks"
Args = TypeVar("Args", bound=cli.WorkerOptions)


def main(options: type[Args], name: str, argv: Sequence[str]) -> int:
    """Run the study in the package `benchmarks.NAME` and return the exit code."""
    with cli.user_errors("bench,train"):
        args = cli.read(options, f"{PROGRAM} {name}", argv)
        if results := getattr(args, "results", None):
            check_file("results", results)
        study, report = (importlib.import_module(f"{PROGRAM}.{name}.{part}") for part in ("study", "report"))
        executor = workers.executor(args.workers, args.ray)  # refuses options, so before a folder is created
        prepared = study.prepare(args)
    with cli.work("finished shards are kept; run the same command again to continue"):
        try:
            with locked(prepared.folder):
                print(f"folder: {prepared.folder}", flush=True)
                with executor as run:
                    results = study.play(prepared, run)
                report.write(prepared, results, cli.command(PROGRAM, [name, *argv]))
        except ValueError as wrong:  # an agent's illegal action, or a record of older rules
            print(f"error: {wrong}", file=sys.stderr)
            return 1
    return 0
